//! Bearer tokens: who may call.

use std::sync::Arc;

use http::{HeaderMap, header};
use ring::digest::{SHA256, digest};
use subtle::{Choice, ConstantTimeEq as _};

use crate::config::ServeArgs;
use crate::telemetry::metrics::Reloads;

use super::watched::{BadFile, Source, Watched};

/// Shortest token, in characters: 16 of Base64 carry 96 random bits.
const SHORTEST: usize = 16;

/// Longest token, in characters.
const LONGEST: usize = 1024;

/// The tokens that let a caller in. Only their digests are kept.
pub(super) struct Tokens {
    digests: Vec<[u8; 32]>,
}

impl Tokens {
    /// The tokens of the file that the settings name; nothing if they name none.
    pub(super) fn new(args: &ServeArgs, reloads: Reloads) -> Result<Option<Arc<Watched<Tokens>>>, BadFile> {
        let Some(path) = args.auth_tokens_file.clone() else { return Ok(None) };
        let source = Source { setting: "--auth-tokens-file, DOUDIZHU_AUTH_TOKENS_FILE", path };
        let tokens = Watched::load(vec![source], reloads, |sources, contents| {
            Tokens::parse(&contents[0]).map_err(|reason| sources[0].bad(reason))
        })?;
        Ok(Some(Arc::new(tokens)))
    }

    /// Reads tokens: one a line; empty lines and lines that begin with `#` say nothing. What it says of a file
    /// that is wrong names the line, never what stands there.
    fn parse(content: &[u8]) -> Result<Tokens, String> {
        let text = std::str::from_utf8(content).map_err(|_| "not UTF-8 text".to_owned())?;
        let mut digests = Vec::new();
        for (number, line) in (1..).zip(text.lines()) {
            let token = line.trim();
            if token.is_empty() || token.starts_with('#') {
                continue;
            }
            if !well_formed(token) {
                return Err(format!(
                    "line {number}: a token is letters, digits and -._~+/ with = at its end (RFC 6750)"
                ));
            }
            if !(SHORTEST..=LONGEST).contains(&token.len()) {
                return Err(format!("line {number}: a token has {SHORTEST} to {LONGEST} characters"));
            }
            digests.push(sha256(token.as_bytes()));
        }
        if digests.is_empty() {
            Err("no token: nobody could call".to_owned())
        } else {
            Ok(Tokens { digests })
        }
    }

    /// Whether the headers of a call carry one of the tokens. The time it takes tells nothing about them.
    pub(super) fn admit(&self, headers: &HeaderMap) -> bool {
        let mut values = headers.get_all(header::AUTHORIZATION).iter();
        let (Some(value), None) = (values.next(), values.next()) else { return false };
        let Some((scheme, token)) = value.as_bytes().split_first_chunk::<7>() else { return false };
        if !scheme.eq_ignore_ascii_case(b"bearer ") {
            return false;
        }
        // Digests have one length, whatever that of the token; and each is looked at, wherever a match stands.
        let presented = sha256(token.trim_ascii());
        let found = self.digests.iter().fold(Choice::from(0), |found, known| found | known.ct_eq(&presented));
        found.into()
    }
}

/// The `b64token` of RFC 6750, section 2.1.
fn well_formed(token: &str) -> bool {
    let body = token.trim_end_matches('=');
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~+/".contains(&byte);
    !body.is_empty() && body.bytes().all(allowed)
}

fn sha256(bytes: &[u8]) -> [u8; 32] {
    let mut out = [0; 32];
    out.copy_from_slice(digest(&SHA256, bytes).as_ref());
    out
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    const FILE: &str = "# the backend's\nAAAAAAAAAAAAAAAAAAAAAA==\n\n  \
                        # the one before\n  bbbbbbbbbbbbbbbb-._~+/\r\n";

    fn admitted(values: &[&str]) -> bool {
        let tokens = Tokens::parse(FILE.as_bytes()).expect("two tokens");
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(header::AUTHORIZATION, HeaderValue::from_str(value).expect("a value"));
        }
        tokens.admit(&headers)
    }

    #[test]
    fn every_token_of_the_file_lets_in() {
        assert!(admitted(&["Bearer AAAAAAAAAAAAAAAAAAAAAA=="]));
        assert!(admitted(&["bearer bbbbbbbbbbbbbbbb-._~+/"]));
    }

    #[test]
    fn nothing_else_does() {
        for values in [
            &[][..],
            &[""],
            &["Bearer"],
            &["Bearer "],
            &["AAAAAAAAAAAAAAAAAAAAAA=="],
            &["Basic AAAAAAAAAAAAAAAAAAAAAA=="],
            &["Bearer AAAAAAAAAAAAAAAAAAAAAA="],
            &["Bearer AAAAAAAAAAAAAAAAAAAAAA==="],
            &["Bearer aaaaaaaaaaaaaaaaaaaaaa=="],
            &["Bearer # the backend's"],
            &["Bearer AAAAAAAAAAAAAAAAAAAAAA==", "Bearer AAAAAAAAAAAAAAAAAAAAAA=="],
        ] {
            assert!(!admitted(values), "{values:?}");
        }
    }

    #[test]
    fn a_wrong_file_is_refused_by_the_line_and_without_its_text() {
        for (file, said) in [
            ("", "no token"),
            ("# nothing\n\n", "no token"),
            ("AAAAAAAAAAAAAAAA\nshort-secret", "line 2"),
            ("two words that are secret", "line 1"),
            ("秘密秘密秘密秘密秘密秘密", "line 1"),
            ("================", "line 1"),
        ] {
            let error = Tokens::parse(file.as_bytes()).err().unwrap_or_else(|| panic!("{file}"));
            assert!(error.contains(said) && !error.contains("secret"), "{file}: {error}");
        }
        assert!(Tokens::parse(b"\xff\xfe").is_err());
        assert!(Tokens::parse("A".repeat(LONGEST + 1).as_bytes()).is_err());
    }
}
