//! The page: a driver behind, components in front.

#[cfg(target_arch = "wasm32")]
fn main() {
    page::start();
}

/// The page runs in a browser only.
#[cfg(not(target_arch = "wasm32"))]
fn main() {}

#[cfg(target_arch = "wasm32")]
mod page {
    use assent::ui::{self, Actions, PageHandle, WindowRequest};
    use assent::view::Patch;
    use assent::web::driver::Driver;
    use std::cell::{Cell, RefCell};
    use std::rc::Rc;

    pub fn start() {
        console_error_panic_hook::set_once();
        let handle: Rc<RefCell<Option<PageHandle>>> = Rc::default();
        let driver = {
            let handle = handle.clone();
            Driver::start(Rc::new(move |patch: Patch| {
                if let Some(handle) = handle.borrow().as_ref() {
                    handle.apply(patch);
                }
            }))
        };
        let actions = Actions::new(
            {
                let driver = driver.clone();
                move |command| driver.command(command)
            },
            {
                let driver = driver.clone();
                move |files| driver.open_files(files)
            },
            {
                let driver = driver.clone();
                move |file_handle| driver.file_handle(file_handle)
            },
            move |request: WindowRequest| {
                let reply = Cell::new(Some(request.reply));
                driver.window(
                    request.of,
                    Box::new(move |rows| {
                        if let Some(reply) = reply.take() {
                            reply(rows);
                        }
                    }),
                );
            },
        );
        *handle.borrow_mut() = Some(ui::mount(actions));
    }
}
