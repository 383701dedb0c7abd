//! The page: components in front, a driver behind. The driver is a second wasm module (xtask/split cuts it
//! off at `start_driver`), so that the page is there before the loop and the wire are.

#[cfg(target_arch = "wasm32")]
fn main() {
    page::start();
}

/// The page runs in a browser only.
#[cfg(not(target_arch = "wasm32"))]
fn main() {}

#[cfg(target_arch = "wasm32")]
mod page {
    use assent::ui::{self, Actions, ColumnRequest, PageHandle, WindowRequest};
    use assent::view::Patch;
    use assent::web::driver::Driver;
    use assent::web::wake;
    use std::cell::{Cell, RefCell};
    use std::pin::Pin;
    use std::rc::Rc;
    use wasm_bindgen_futures::spawn_local;
    use wasm_split_helpers::{SplitLoaderError, wasm_split};

    type Tell = Rc<dyn Fn(Patch)>;
    type Ask = Box<dyn FnOnce(&Actions)>;
    type Loading = Pin<Box<dyn Future<Output = ()>>>;

    pub fn start() {
        console_error_panic_hook::set_once();
        let behind = Behind::default();
        let handle = ui::mount(behind.actions());
        *behind.0.page.borrow_mut() = Some(handle);
        wake::on_first_need(move || behind.wake());
    }

    /// The driver, once it is there. What is asked of it before waits, and wakes it.
    #[derive(Clone, Default)]
    struct Behind(Rc<Inner>);

    #[derive(Default)]
    struct Inner {
        page: RefCell<Option<PageHandle>>,
        driver: RefCell<Option<Actions>>,
        waiting: RefCell<Vec<Ask>>,
        coming: Cell<bool>,
    }

    impl Behind {
        fn actions(&self) -> Actions {
            let [send, open, keep, rows, column] = std::array::from_fn(|_| self.clone());
            Actions::new(
                move |command| send.ask(|d| d.send(command)),
                move |files| open.ask(|d| d.open_files(files)),
                move |handle| keep.ask(|d| d.keep_handle(handle)),
                move |request| rows.ask(|d| d.window(request)),
                move |request| column.ask(|d| d.column(request)),
            )
        }

        fn ask(&self, act: impl FnOnce(&Actions) + 'static) {
            let driver = self.0.driver.borrow().clone();
            match driver {
                Some(driver) => act(&driver),
                None => {
                    self.0.waiting.borrow_mut().push(Box::new(act));
                    self.wake();
                }
            }
        }

        fn tell(&self, patch: Patch) {
            if let Some(page) = self.0.page.borrow().as_ref() {
                page.apply(patch);
            }
        }

        fn wake(&self) {
            if self.0.coming.replace(true) {
                return;
            }
            let behind = self.clone();
            #[expect(clippy::disallowed_methods, reason = "the page waits for its driver")]
            spawn_local(async move { behind.load().await });
        }

        async fn load(&self) {
            let page = self.clone();
            let handle = self.0.page.borrow().clone();
            match start_driver(Rc::new(move |patch| page.tell(patch)), handle).await {
                Ok((driver, loading)) => {
                    loading.await;
                    *self.0.driver.borrow_mut() = Some(driver.clone());
                    for act in self.0.waiting.take() {
                        act(&driver);
                    }
                }
                Err(NotLoaded) => {
                    // What waits stays; the next thing that is asked tries again.
                    self.0.coming.set(false);
                    if let Some(page) = self.0.page.borrow().as_ref() {
                        page.say_driver_missing();
                    }
                }
            }
        }
    }

    struct NotLoaded;

    impl From<SplitLoaderError> for NotLoaded {
        fn from(_: SplitLoaderError) -> Self {
            Self
        }
    }

    #[allow(
        unsafe_code,
        reason = "the macro links both parts by symbols; they come from one build"
    )]
    #[wasm_split(driver, fallible)]
    fn start_driver(tell: Tell, page: Option<PageHandle>) -> Result<(Actions, Loading), NotLoaded> {
        let driver = Driver::new(tell);
        let [send, open, keep, columns] = std::array::from_fn(|_| driver.clone());
        let loading = driver.clone();
        let actions = Actions::new(
            move |command| send.command(command),
            move |files| open.open_files(files),
            move |handle| keep.file_handle(handle),
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
            move |r: ColumnRequest| columns.column(r.result, r.column, r.rows_max, r.reply),
        );
        let loading = async move {
            loading.load().await;
            // Not before: a form that is opened shows the settings as they are stored.
            if let Some(page) = page {
                page.add_dialogs();
            }
        };
        Ok((actions, Box::pin(loading)))
    }
}
