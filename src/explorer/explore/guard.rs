//! The guard of the server: it answers its own pages alone.
//!
//! Other pages in the same browser, and other people on the same machine, can send requests to
//! this port. They do not know the token, which every path begins with. A name that an attacker
//! points to this machine shows in `Host`; a page from elsewhere shows in `Origin`.

use hyper::header::{
    CONTENT_SECURITY_POLICY, CONTENT_TYPE, HOST, HeaderMap, HeaderName, HeaderValue, ORIGIN,
    X_FRAME_OPTIONS,
};
use hyper::{Method, StatusCode};

use host::framing::Framing;

use super::site::{ExploredSite, INVITATION};

/// The policy of every answer, but for who may frame it: nothing is loaded from elsewhere.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
                      base-uri 'none'; form-action 'none'";

/// The other headers of every answer: nothing is kept, and nothing else may use it.
const HEADERS: &[(&str, &str)] = &[
    ("cache-control", "no-store"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
    ("referrer-policy", "no-referrer"),
    ("x-content-type-options", "nosniff"),
];

/// Adds the headers that keep an answer to the page itself, and to those that may frame it.
pub(super) fn protect(headers: &mut HeaderMap, framing: &Framing) {
    for (name, value) in HEADERS {
        headers.insert(*name, HeaderValue::from_static(value));
    }
    let policy = format!("{POLICY}; {}", framing.directive());
    // The directive is one of a few texts that are valid in headers.
    let policy = HeaderValue::try_from(policy);
    headers.insert(
        CONTENT_SECURITY_POLICY,
        policy.unwrap_or(HeaderValue::from_static(
            "default-src 'none'; frame-ancestors 'none'",
        )),
    );
    // Older than the policy, this header can only forbid framing altogether.
    if !framing.is_allowed() {
        headers.insert(X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
    }
}

/// The aim of an admitted request.
pub(super) enum Admission<'p> {
    /// The resource at this path behind the token.
    Path(&'p str),
    /// The page, to which the browser is led by this invitation.
    Page(&'p str),
}

/// The aim of a request, or the status with which it is refused.
pub(super) fn admitted<'p>(
    site: &ExploredSite,
    method: &Method,
    path: &'p str,
    headers: &HeaderMap,
) -> Result<Admission<'p>, StatusCode> {
    // If a header came twice, browser and server might each read another one.
    let is_repeated = |name: &HeaderName| headers.get_all(name).iter().count() > 1;
    if [HOST, ORIGIN, CONTENT_TYPE].iter().any(is_repeated) {
        return Err(StatusCode::BAD_REQUEST);
    }
    let text = |name| {
        headers
            .get(name)
            .map(|value| value.to_str().unwrap_or_default())
    };
    if text(HOST) != Some(site.host.as_str()) {
        return Err(StatusCode::MISDIRECTED_REQUEST);
    }
    let own = format!("http://{}", site.host);
    let is_foreign = text(ORIGIN).is_some_and(|origin| origin != own);
    // Browsers send the origin with every POST.
    if is_foreign || method == Method::POST && text(ORIGIN).is_none() {
        return Err(StatusCode::FORBIDDEN);
    }
    let is_json = text(CONTENT_TYPE) == Some("application/json");
    if method == Method::POST && !is_json {
        return Err(StatusCode::UNSUPPORTED_MEDIA_TYPE);
    }
    let mut parts = path.trim_start_matches('/').splitn(2, '/');
    let token = parts.next().unwrap_or_default();
    match parts.next() {
        Some(rest) if is_same(token, &site.token) => Ok(Admission::Path(rest)),
        Some(rest) if token == INVITATION && method == Method::GET => Ok(Admission::Page(rest)),
        _ => Err(StatusCode::NOT_FOUND),
    }
}

/// True if two texts are equal. The time that it takes does not tell how far they agree.
pub(super) fn is_same(one: &str, other: &str) -> bool {
    let differences = one
        .bytes()
        .zip(other.bytes())
        .fold(0, |all, (a, b)| all | (a ^ b));
    one.len() == other.len() && differences == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_framed_by_nobody_or_by_the_panels_of_an_editor() {
        let of = |wished: &[&str]| {
            let mut headers = HeaderMap::new();
            protect(&mut headers, &Framing::of(wished.iter().copied()));
            let policies: Vec<_> = headers.get_all(CONTENT_SECURITY_POLICY).iter().collect();
            assert_eq!(policies.len(), 1);
            let policy = policies[0].to_str().expect("it is text").to_string();
            assert!(policy.starts_with(POLICY), "{policy}");
            (policy, headers.get(X_FRAME_OPTIONS).cloned())
        };
        let (policy, older) = of(&[]);
        assert!(policy.ends_with("; frame-ancestors 'none'"), "{policy}");
        assert_eq!(older, Some(HeaderValue::from_static("DENY")));
        let (policy, older) = of(&["vscode-webview:", "https:"]);
        assert!(
            policy.ends_with("; frame-ancestors vscode-webview:"),
            "{policy}"
        );
        assert_eq!(older, None);
    }
}
