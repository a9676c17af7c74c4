//! Certificates and files for them, made anew for each test.

use std::fs;
use std::path::{Path, PathBuf};

use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use tempfile::TempDir;
use tonic::transport::{Certificate, ClientTlsConfig};

/// An authority that signs certificates.
pub(crate) struct Authority(CertifiedIssuer<'static, KeyPair>);

impl Authority {
    pub(crate) fn new() -> Authority {
        let mut params = CertificateParams::default();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let key = KeyPair::generate().expect("a key");
        Authority(CertifiedIssuer::self_signed(params, key).expect("a certificate"))
    }

    pub(crate) fn pem(&self) -> String {
        self.0.pem()
    }

    /// Certificate and key for localhost.
    pub(crate) fn sign(&self) -> (String, String) {
        let params = CertificateParams::new(vec!["localhost".to_owned()]).expect("a name");
        let key = KeyPair::generate().expect("a key");
        let certificate = params.signed_by(&key, &self.0).expect("a certificate");
        (certificate.pem(), key.serialize_pem())
    }

    /// What a client that trusts this authority needs.
    pub(crate) fn trusted(&self) -> ClientTlsConfig {
        ClientTlsConfig::new().ca_certificate(Certificate::from_pem(self.pem()))
    }
}

/// A folder of PEM files.
pub(crate) struct Files(TempDir);

impl Files {
    pub(crate) fn empty() -> Files {
        Files(tempfile::tempdir().expect("a folder"))
    }

    /// Certificate and key of a server, signed by `authority`.
    pub(crate) fn of(authority: &Authority) -> Files {
        let files = Files::empty();
        files.install(&authority.sign());
        files
    }

    pub(crate) fn install(&self, (certificate, key): &(String, String)) {
        // The key first: the pair that does not match in between must not be what stays.
        self.write("key.pem", key);
        self.write("cert.pem", certificate);
    }

    pub(crate) fn write(&self, name: &str, content: &str) -> PathBuf {
        // In one step, so that the server never sees half a file.
        let whole = self.path("whole");
        fs::write(&whole, content).expect("written");
        fs::rename(whole, self.path(name)).expect("renamed");
        self.path(name)
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// The flags that make a server use the files.
    pub(crate) fn flags(&self) -> Vec<String> {
        vec![
            flag("--tls-cert", &self.path("cert.pem")),
            flag("--tls-key", &self.path("key.pem")),
            "--reload-interval=5ms".to_owned(),
        ]
    }
}

pub(crate) fn flag(name: &str, path: &Path) -> String {
    format!("{name}={}", path.display())
}
