//! Sends requests: one attempt each, over a connection that is kept for the next.

mod trial;

use std::{fmt, sync::Once, time::Duration};

use protocol::Limits;
use reqwest::{
    Client, Url,
    header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderValue},
    redirect, retry,
};
use tokio::time::timeout;

use crate::{
    ApiKey, CatalogEntry, Endpoint, ModelStream, Prompt, ProviderError, address,
    failure::{Refusal, root_cause},
    intake::{Bounds, Intake},
    openai,
};

/// How long an idle connection is kept. Many servers close theirs after a minute.
const KEEP_CONNECTION: Duration = Duration::from_secs(50);
/// Most bytes of a refusal that are read.
const REFUSAL_BYTES: usize = 64 << 10;
/// How long the body of a refusal may take; its status says the most.
const REFUSAL_TIME: Duration = Duration::from_secs(5);

/// A model that can be asked.
#[derive(Clone)]
pub struct Provider {
    client: Client,
    url: Url,
    entry: &'static CatalogEntry,
    model: String,
    key: Option<ApiKey>,
    headers: HeaderMap,
    idle: Duration,
    bounds: Bounds,
}

impl Provider {
    /// Prepares to ask a model. Connects to nothing.
    ///
    /// # Errors
    ///
    /// - [`ProviderError::InvalidUrl`] if the base URL cannot be used.
    /// - [`ProviderError::UnsendableKey`] if the key cannot stand in a header.
    /// - [`ProviderError::NoEncryption`] if TLS cannot be set up on this machine.
    pub fn new(endpoint: Endpoint, limits: &Limits) -> Result<Self, ProviderError> {
        let Endpoint { entry, base_url, model, key } = endpoint;
        let url = address::chat_completions(&base_url)?;
        let headers = headers(key.as_ref())?;
        let client = client(&url, limits.connect_time)?;
        let (idle, bounds) = (limits.stream_idle, Bounds::new(limits));
        Ok(Self { client, url, entry, model, key, headers, idle, bounds })
    }

    /// The model's name.
    pub fn model(&self) -> &str {
        &self.model
    }

    /// How the vendor behaves.
    pub fn entry(&self) -> &'static CatalogEntry {
        self.entry
    }

    /// Writes a request. The same prompt gives the same bytes; one with more messages gives the
    /// same bytes up to the closing `]}`, and more (CA-1).
    pub fn body(&self, prompt: &Prompt<'_>) -> Vec<u8> {
        openai::body(self.entry, &self.model, prompt)
    }

    /// Sends a request: one attempt. Returns when the answer begins.
    ///
    /// Dropping the future closes the connection.
    ///
    /// # Errors
    ///
    /// Any [`ProviderError`] that stands before an answer: no connection, silence, or a status
    /// that is none of success.
    pub async fn send(&self, body: Vec<u8>) -> Result<ModelStream, ProviderError> {
        let request = self.client.post(self.url.clone()).headers(self.headers.clone()).body(body);
        let after = self.idle;
        let response = timeout(after, request.send())
            .await
            .map_err(|_| ProviderError::Silent { after })?
            .map_err(|error| ProviderError::unsent(error, &self.url))?;
        if !response.status().is_success() {
            return Err(self.refusal(response).await);
        }
        let kind = response.headers().get(CONTENT_TYPE).map(HeaderValue::as_bytes);
        if kind.is_some_and(|it| it.to_ascii_lowercase().starts_with(b"text/html")) {
            let address = address::shown_whole(&self.url);
            return Err(ProviderError::NoSuchApi { address, status: response.status().as_u16() });
        }
        let intake = Intake::new(self.entry, self.key.clone(), self.bounds);
        Ok(ModelStream::new(response, intake, self.idle))
    }

    async fn refusal(&self, mut response: reqwest::Response) -> ProviderError {
        let mut body = Vec::new();
        let read = async {
            while body.len() < REFUSAL_BYTES
                && let Ok(Some(chunk)) = response.chunk().await
            {
                body.extend_from_slice(&chunk);
            }
        };
        // What came in time is what there is.
        let _in_time = timeout(REFUSAL_TIME, read).await;
        ProviderError::status(&Refusal {
            status: response.status(),
            headers: response.headers(),
            body: &body,
            url: &self.url,
            model: &self.model,
            key: self.key.as_ref(),
        })
    }
}

impl fmt::Debug for Provider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Provider")
            .field("entry", &self.entry.id)
            .field("model", &self.model)
            .finish_non_exhaustive()
    }
}

fn headers(key: Option<&ApiKey>) -> Result<HeaderMap, ProviderError> {
    let mut headers = HeaderMap::new();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(ACCEPT, HeaderValue::from_static("text/event-stream"));
    if let Some(key) = key {
        let value = format!("Bearer {}", key.secret());
        let mut value = HeaderValue::try_from(value).map_err(|_| ProviderError::UnsendableKey)?;
        value.set_sensitive(true);
        headers.insert(AUTHORIZATION, value);
    }
    Ok(headers)
}

/// HTTP/1.1 only: there, giving up a request closes its socket, and the vendor notices.
fn client(url: &Url, connect_time: Duration) -> Result<Client, ProviderError> {
    static RING: Once = Once::new();
    RING.call_once(|| {
        // The program may have chosen already; then its choice holds.
        let _chosen = rustls::crypto::ring::default_provider().install_default();
    });
    let mut client = Client::builder()
        .http1_only()
        .tcp_nodelay(true)
        .connect_timeout(connect_time)
        .pool_idle_timeout(KEEP_CONNECTION)
        .redirect(redirect::Policy::none())
        .retry(retry::never())
        .user_agent(concat!("Evident/", env!("CARGO_PKG_VERSION")));
    if url.scheme() == "http" {
        // Loading the system's certificates takes longer than everything else here.
        client = client.tls_certs_only([]);
    }
    if address::is_loopback(url) {
        client = client.no_proxy();
    }
    client.build().map_err(|source| {
        let source = source.without_url();
        ProviderError::NoEncryption { why: root_cause(&source), source }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_printed_with_no_header_and_no_error() {
        let key = ApiKey::new("sk-secret").expect("it is a key");
        let headers = headers(Some(&key)).expect("it can be sent");
        assert_eq!(headers[AUTHORIZATION], "Bearer sk-secret");
        assert!(!format!("{headers:?}").contains("secret"));
    }

    #[test]
    fn a_key_that_cannot_be_sent_is_refused() {
        let key = ApiKey::new("sk-secret\nsk-other").expect("it is a key");
        let error = super::headers(Some(&key)).expect_err("it holds a line end");
        assert!(matches!(error, ProviderError::UnsendableKey));
        assert!(!format!("{error:?} {error}").contains("secret"));
    }
}
