//! Values made of files that may change while the server runs: certificates, tokens.

use std::fs;
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use ring::digest::{Digest, SHA256, digest};
use tokio::sync::watch;
use tokio::time::{MissedTickBehavior, interval};

use crate::telemetry::metrics::Reloads;

/// A file, and the setting that names it.
#[derive(Clone, Debug)]
pub(super) struct Source {
    pub(super) setting: &'static str,
    pub(super) path: PathBuf,
}

/// Why a value cannot be made of its files. It tells what is wrong, never what stands in the file.
#[derive(Debug, thiserror::Error)]
#[error("{setting} {}: {reason}", path.display())]
pub struct BadFile {
    setting: &'static str,
    path: PathBuf,
    reason: String,
}

impl Source {
    pub(super) fn bad(&self, reason: impl ToString) -> BadFile {
        BadFile { setting: self.setting, path: self.path.clone(), reason: reason.to_string() }
    }
}

/// How a value is made of the contents of its files, which come in the order of their sources.
type Make<T> = dyn Fn(&[Source], &[Vec<u8>]) -> Result<T, BadFile> + Send + Sync;

/// A value made of files, and made anew when what they hold changes. A change that makes no value is logged and
/// counted, and the last good value stays.
pub(super) struct Watched<T> {
    sources: Vec<Source>,
    make: Box<Make<T>>,
    current: watch::Sender<Arc<T>>,
    /// What the files held when they were last looked at; nothing if they could not be read. Contents are
    /// compared rather than times: Kubernetes swaps a symbolic link, and keys are not kept for comparison.
    seen: Mutex<Option<Vec<u8>>>,
    reloads: Reloads,
}

impl<T: Send + Sync + 'static> Watched<T> {
    /// Makes the value for the first time.
    pub(super) fn load(
        sources: Vec<Source>,
        reloads: Reloads,
        make: impl Fn(&[Source], &[Vec<u8>]) -> Result<T, BadFile> + Send + Sync + 'static,
    ) -> Result<Watched<T>, BadFile> {
        let contents = read(&sources)?;
        let value = make(&sources, &contents)?;
        let seen = Mutex::new(Some(fingerprint(&contents)));
        Ok(Watched {
            sources,
            make: Box::new(make),
            current: watch::Sender::new(Arc::new(value)),
            seen,
            reloads,
        })
    }

    /// The value as of now.
    pub(super) fn current(&self) -> Arc<T> {
        Arc::clone(&self.current.borrow())
    }

    /// Looks at the files every `period`, for ever.
    pub(super) async fn watch(self: Arc<Self>, period: Duration) {
        let mut ticks = interval(period.max(Duration::from_millis(1)));
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            ticks.tick().await;
            let watched = Arc::clone(&self);
            // Reading files blocks. A panic in there would be a defect, and the next look may go better.
            let _ = tokio::task::spawn_blocking(move || watched.refresh()).await;
        }
    }

    /// Looks at the files once.
    fn refresh(&self) {
        let contents = read(&self.sources);
        let found = contents.as_deref().ok().map(fingerprint);
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        if *seen == found {
            return;
        }
        *seen = found;
        let files = self.reloads.files;
        match contents.and_then(|contents| (self.make)(&self.sources, &contents)) {
            Ok(value) => {
                self.current.send_replace(Arc::new(value));
                self.reloads.ok.increment(1);
                tracing::info!(files, "files changed: reloaded");
            }
            Err(error) => {
                self.reloads.failed.increment(1);
                tracing::error!(files, %error, "files changed: not usable, the last good ones stay in use");
            }
        }
    }
}

fn read(sources: &[Source]) -> Result<Vec<Vec<u8>>, BadFile> {
    sources
        .iter()
        .map(|source| fs::read(&source.path).map_err(|error: io::Error| source.bad(error)))
        .collect()
}

/// Equal for equal contents only.
fn fingerprint(contents: impl AsRef<[Vec<u8>]>) -> Vec<u8> {
    let digests = contents.as_ref().iter().map(|content| digest(&SHA256, content));
    digests.flat_map(|digest: Digest| digest.as_ref().to_vec()).collect()
}
