//! The guard of the server: it answers its own pages alone.
//!
//! Other pages in the same browser, and other people on the same machine, can send requests to
//! this port. They do not know the token, which every path begins with. A name that an attacker
//! points to this machine shows in `Host`; a page from elsewhere shows in `Origin`.

use hyper::header::{CONTENT_TYPE, HOST, HeaderMap, HeaderName, ORIGIN};
use hyper::{Method, StatusCode};

use super::site::{ExploredSite, INVITATION};

/// The headers of every answer: nothing is loaded from elsewhere, nothing is kept, and no other
/// page may frame it.
pub(super) const HEADERS: &[(&str, &str)] = &[
    (
        "content-security-policy",
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
         base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    ("cache-control", "no-store"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
    ("referrer-policy", "no-referrer"),
    ("x-content-type-options", "nosniff"),
    ("x-frame-options", "DENY"),
];

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
