//! Who asks: the person whose token came with the request, and where it came from.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use axum::extract::{ConnectInfo, FromRequestParts};
use axum::http::header::{AUTHORIZATION, COOKIE};
use axum::http::request::Parts;

use super::App;
use crate::now_ms;
use crate::service::ServiceError;
use crate::store::User;
use crate::tokens;

/// The name of the cookie.
pub const COOKIE_NAME: &str = "krieg";
/// Sessions of accounts are over after so many days. A guest's token is all he has, and stays.
pub const SESSION_DAYS: i64 = 180;

/// Who asks.
#[derive(Debug, Clone)]
pub struct Client {
    /// Who it is, if he has a name.
    pub person: Option<User>,
    /// What he showed.
    pub token: Option<String>,
    /// Where he is.
    pub address: IpAddr,
}

impl Client {
    /// The person, or a request to give a name first.
    pub fn named(&self) -> Result<&User, ServiceError> {
        self.person.as_ref().ok_or(ServiceError::SignIn)
    }

    /// The person's number.
    pub fn id(&self) -> Option<i64> {
        self.person.as_ref().map(|person| person.id)
    }
}

impl FromRequestParts<App> for Client {
    type Rejection = ServiceError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ServiceError> {
        let token = token(parts);
        let person = match token.clone() {
            Some(token) => {
                let since = now_ms() - SESSION_DAYS * 24 * 60 * 60 * 1_000;
                let digest = tokens::digest(&token);
                let store = app.service.store();
                store.read(move |c| User::by_token(c, &digest, since)).await?
            }
            None => None,
        };
        Ok(Client { person, token, address: network(address(parts, app)) })
    }
}

/// The token: of a program in a header of its own, of a browser in the cookie.
fn token(parts: &Parts) -> Option<String> {
    let bearer = parts.headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok());
    if let Some(token) = bearer.and_then(|value| value.strip_prefix("Bearer ")) {
        return Some(token.trim().to_string());
    }
    let cookies = parts.headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut pairs = cookies.flat_map(|cookies| cookies.split(';'));
    pairs.find_map(|pair| {
        let (name, value) = pair.trim().split_once('=')?;
        (name == COOKIE_NAME).then(|| value.to_string())
    })
}

/// Where a request came from: the last hop, or whom a proxy of one's own names.
fn address(parts: &Parts, app: &App) -> IpAddr {
    let hop = parts.extensions.get::<ConnectInfo<SocketAddr>>().map(|info| info.0.ip());
    let hop = hop.unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST));
    if !app.config.behind_proxy {
        return hop;
    }
    // What comes before the last name in the last line was written by whoever liked to.
    let named = parts.headers.get_all("x-forwarded-for").iter().next_back();
    let last = named.and_then(|names| names.to_str().ok()?.rsplit(',').next());
    last.and_then(|name| name.trim().parse().ok()).unwrap_or(hop)
}

/// Whoever has one address of the new kind has all of its network.
fn network(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(long) => match long.to_ipv4_mapped() {
            Some(short) => IpAddr::V4(short),
            None => IpAddr::V6(Ipv6Addr::from_bits(long.to_bits() & (!0 << 64))),
        },
    }
}
