//! The drawings of the page, inline.

use leptos::prelude::*;

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Icon {
    Check,
    Chevron,
    Close,
    Copy,
    Cross,
    Database,
    Down,
    Lock,
    Menu,
    Moon,
    Open,
    Pencil,
    Pin,
    Plus,
    Save,
    Search,
    Send,
    Settings,
    Shield,
    Sidebar,
    Star,
    Stop,
    Sun,
    System,
    Trash,
    Warning,
}

impl Icon {
    /// One path on a grid of 20, drawn as a line.
    fn path(self) -> &'static str {
        match self {
            Self::Check => "M4.5 10.5l3.5 3.5 7.5-8",
            Self::Chevron => "M7.5 5l5 5-5 5",
            Self::Close | Self::Cross => "M5.5 5.5l9 9M14.5 5.5l-9 9",
            Self::Copy => "M7 7h9v9H7zM4 13V4h9",
            Self::Database => {
                "M4 5.5C4 4.1 6.7 3 10 3s6 1.1 6 2.5S13.3 8 10 8 4 6.9 4 5.5zM4 5.5v9C4 15.9 6.7 17 10 17s6-1.1 6-2.5v-9M4 10c0 1.4 2.7 2.5 6 2.5s6-1.1 6-2.5"
            }
            Self::Down => "M10 4v12M4.5 10.5L10 16l5.5-5.5",
            Self::Lock => "M5 9h10v8H5zM7 9V6.5a3 3 0 0 1 6 0V9",
            Self::Menu => "M3.5 5.5h13M3.5 10h13M3.5 14.5h13",
            Self::Moon => "M16 11.5A6.5 6.5 0 1 1 8.5 4a5.2 5.2 0 0 0 7.5 7.5z",
            Self::Open => "M10 12.5V3M6.5 6.5L10 3l3.5 3.5M4 16.5h12",
            Self::Pencil => "M4 16l.8-3.4L13.5 4l2.5 2.5-8.6 8.7z",
            Self::Pin => "M7 3.5h6M8 3.5v5L5.5 11.5h9L12 8.5v-5M10 11.5V17",
            Self::Plus => "M10 4.5v11M4.5 10h11",
            Self::Save => "M10 3v9M6.5 8.8L10 12.3l3.5-3.5M4 16.5h12",
            Self::Search => "M9 4a5 5 0 1 1 0 10A5 5 0 0 1 9 4zM12.6 12.6l4 4",
            Self::Send => "M10 16V4.5M5 9.5l5-5 5 5",
            Self::Settings => {
                "M3.5 6h7M14.5 6h2M3.5 14h2M9.5 14h7M12.5 4a2 2 0 1 1 0 4 2 2 0 0 1 0-4zM7.5 12a2 2 0 1 1 0 4 2 2 0 0 1 0-4z"
            }
            Self::Shield => {
                "M10 2.8l6 2.2v4.5c0 3.7-2.5 6.4-6 7.7-3.5-1.3-6-4-6-7.7V5zM7.3 9.8l2 2 3.5-3.8"
            }
            Self::Sidebar => "M3 4h14v12H3zM12.5 4v12",
            Self::Star => {
                "M10 3.5l2 4.3 4.7.5-3.5 3.2 1 4.6L10 13.8 5.8 16.1l1-4.6-3.5-3.2 4.7-.5z"
            }
            Self::Stop => "M6 6h8v8H6z",
            Self::Sun => {
                "M10 6.5a3.5 3.5 0 1 1 0 7 3.5 3.5 0 0 1 0-7zM10 2v1.5M10 16.5V18M2 10h1.5M16.5 10H18M4.3 4.3l1.1 1.1M14.6 14.6l1.1 1.1M4.3 15.7l1.1-1.1M14.6 5.4l1.1-1.1"
            }
            Self::System => "M3 4h14v9.5H3zM7 17h6M10 13.5V17",
            Self::Trash => "M4 5.5h12M8 5.5V3.5h4v2M5.5 5.5l.7 11h7.6l.7-11M8.5 8.5v5M11.5 8.5v5",
            Self::Warning => "M10 3.5l7.5 13h-15zM10 8.5v3.5M10 14.2v.3",
        }
    }
}

/// A small drawing beside words; never the only name of a thing.
#[component]
pub fn Icon(of: Icon) -> impl IntoView {
    view! {
        <svg class="icon" viewBox="0 0 20 20" aria-hidden="true" focusable="false">
            <path d=of.path() />
        </svg>
    }
    .into_any()
}
