//! Requests over HTTP, and their answers.

use std::convert::Infallible;
use std::io;
use std::net::TcpListener;
use std::sync::Arc;
use std::time::Duration;

use http_body_util::{BodyExt, Either, Full, Limited};
use hyper::body::{Bytes, Incoming};
use hyper::header::{CONTENT_TYPE, HeaderValue, LOCATION};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::TcpStream;

use super::super::api::ApiQuestion;
use super::assets;
use super::guard::{Admission, admitted, protect};
use super::site::ExploredSite;
use super::strangers::{Stranger, Strangers};
use super::workers::{AnswerLines, Workers};

/// The most bytes of a request. A larger one is refused.
const LARGEST: usize = 16 << 20;

/// The most connections that are open at once without having shown the token.
const MOST_STRANGERS: usize = 64;

/// The time after which a connection is closed that has not sent the head of a request, or is idle.
const HEADER_TIME: Duration = Duration::from_secs(30);

/// The time after which a connection is closed that has not sent the body of a request.
const BODY_TIME: Duration = Duration::from_secs(30);

/// The time after a failed accept in which no connection is accepted.
const PAUSE: Duration = Duration::from_millis(100);

/// The answer to those who do not know the address.
const STRANGE: &str = "this page is not served to you\n";

/// The answer to everybody once the invitation was used twice.
const DISCLOSED: &str = "This page is served no longer: its link works once, and somebody else on this machine \
                         may have used it before. End cspsym, and start it with --no-open: then it prints the \
                         address and starts no browser.\n";

const JSON: &str = "application/json";
const JSON_LINES: &str = "application/jsonl";
const TEXT: &str = "text/plain; charset=utf-8";

type HttpAnswer = Response<Either<Full<Bytes>, AnswerLines>>;

/// The data that every connection needs.
struct Served {
    site: ExploredSite,
    workers: Workers,
}

/// Answers requests until the program is ended.
pub(super) fn serve(site: ExploredSite, listener: TcpListener) -> io::Result<()> {
    let workers = Workers::start(&site.script.readable)?;
    let served = Arc::new(Served { site, workers });
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_io()
        .enable_time()
        .build()?;
    runtime.block_on(async {
        listener.set_nonblocking(true)?;
        let listener = tokio::net::TcpListener::from_std(listener)?;
        let strangers = Strangers::default();
        loop {
            let Ok((stream, _)) = listener.accept().await else {
                // The machine has no more files or memory. That passes.
                tokio::time::sleep(PAUSE).await;
                continue;
            };
            let stranger = strangers.arrive();
            let connection = connection(stream, Arc::clone(&served), stranger.clone());
            // The task cannot run before this one waits, so the stranger is in the queue before it
            // is known.
            let task = tokio::spawn(connection);
            strangers.let_wait(&stranger, task.abort_handle(), MOST_STRANGERS);
        }
    })
}

/// Answers the requests of one connection.
async fn connection(stream: TcpStream, served: Arc<Served>, stranger: Stranger) {
    let who = stranger.clone();
    let answer = service_fn(move |request| {
        let (served, who) = (Arc::clone(&served), who.clone());
        async move {
            let mut answer = served.answer(request, &who).await;
            protect(answer.headers_mut(), &served.site.framing);
            Ok::<_, Infallible>(answer)
        }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEADER_TIME)
        .serve_connection(TokioIo::new(stream), answer);
    // A connection that breaks does not matter to the others.
    let _ = connection.await;
    stranger.known();
}

impl Served {
    async fn answer(&self, request: Request<Incoming>, stranger: &Stranger) -> HttpAnswer {
        let (head, body) = request.into_parts();
        if self.site.is_disclosed() {
            return plain(StatusCode::FORBIDDEN, DISCLOSED);
        }
        let path = match admitted(&self.site, &head.method, head.uri.path(), &head.headers) {
            Ok(Admission::Path(path)) => {
                stranger.known();
                path
            }
            Ok(Admission::Page(invitation)) => return self.led_to_page(invitation),
            Err(status) => return plain(status, STRANGE),
        };
        match (head.method, path) {
            (Method::GET, "opening") => {
                said(self.site.opening().and_then(|opening| opening.json()))
            }
            (Method::GET, name) => match assets::find(name) {
                Some(asset) => with_kind(StatusCode::OK, asset.kind, asset.bytes.into()),
                None => plain(StatusCode::NOT_FOUND, "there is no such file\n"),
            },
            (Method::POST, "api" | "read" | "save") => {
                let body = Limited::new(body, LARGEST).collect();
                let Ok(body) = tokio::time::timeout(BODY_TIME, body).await else {
                    return plain(StatusCode::REQUEST_TIMEOUT, "the request takes too long\n");
                };
                let Ok(body) = body else {
                    return plain(StatusCode::PAYLOAD_TOO_LARGE, "the request is too large\n");
                };
                let body = body.to_bytes();
                match path {
                    "read" => said(self.site.script.read(&body)),
                    "save" => said(self.site.script.save(&body)),
                    _ => self.api(&body).await,
                }
            }
            (Method::POST, _) => plain(StatusCode::NOT_FOUND, "there is no such request\n"),
            _ => plain(
                StatusCode::METHOD_NOT_ALLOWED,
                "only GET and POST are answered\n",
            ),
        }
    }

    /// Leads the browser to the page, if nobody was led there before.
    fn led_to_page(&self, invitation: &str) -> HttpAnswer {
        let page = self.site.accept(invitation);
        let Some(page) = page.and_then(|page| HeaderValue::try_from(page).ok()) else {
            return match self.site.is_disclosed() {
                true => plain(StatusCode::FORBIDDEN, DISCLOSED),
                false => plain(StatusCode::NOT_FOUND, STRANGE),
            };
        };
        let mut answer = plain(StatusCode::SEE_OTHER, "the page is elsewhere\n");
        answer.headers_mut().insert(LOCATION, page);
        answer
    }

    async fn api(&self, body: &[u8]) -> HttpAnswer {
        let question = match ApiQuestion::read(body) {
            Ok(question) => question,
            Err(refusal) => return with_kind(StatusCode::OK, JSON, refusal.into()),
        };
        if let Some(answer) = self.workers.stopped_by(&question) {
            return with_kind(StatusCode::OK, JSON, answer.into());
        }
        let wants_news = question.wants_news();
        let lines = self.workers.ask(question);
        if wants_news {
            return with_body(StatusCode::OK, JSON_LINES, Either::Right(lines));
        }
        match lines.answer().await {
            Some(answer) => with_kind(StatusCode::OK, JSON, answer),
            None => plain(StatusCode::INTERNAL_SERVER_ERROR, "the work has ended\n"),
        }
    }
}

/// The answer with the text of `outcome`, as JSON.
fn said(outcome: io::Result<String>) -> HttpAnswer {
    match outcome {
        Ok(text) => with_kind(StatusCode::OK, JSON, text.into()),
        Err(error) => plain(StatusCode::BAD_REQUEST, &format!("{error}\n")),
    }
}

fn plain(status: StatusCode, text: &str) -> HttpAnswer {
    with_kind(status, TEXT, text.to_string().into())
}

fn with_kind(status: StatusCode, kind: &str, body: Bytes) -> HttpAnswer {
    with_body(status, kind, Either::Left(Full::new(body)))
}

fn with_body(status: StatusCode, kind: &str, body: Either<Full<Bytes>, AnswerLines>) -> HttpAnswer {
    let answer = Response::builder()
        .status(status)
        .header(CONTENT_TYPE, kind);
    // Each type of content is a constant that fits.
    answer
        .body(body)
        .unwrap_or_else(|_| Response::new(Either::Left(Full::default())))
}
