//! The client of a request: its session token, its user and its address.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use axum::extract::{ConnectInfo, FromRequestParts};
use axum::http::header::{AUTHORIZATION, COOKIE};
use axum::http::request::Parts;

use super::App;
use crate::domain::User;
use crate::service::ServiceError;
use crate::store::users;
use crate::{now_ms, tokens};

/// The name of the cookie with the session token.
pub const COOKIE_NAME: &str = "krieg";
/// The lifetime of an account's session.
pub const SESSION_DAYS: i64 = 180;

/// The client of a request.
#[derive(Debug, Clone)]
pub struct Client {
    /// The user of the session, if the token is valid.
    pub user: Option<User>,
    /// The session token.
    pub token: Option<String>,
    /// The address for rate limits.
    pub address: IpAddr,
}

impl Client {
    /// The user, or an error if there is none.
    pub fn require_user(&self) -> Result<&User, ServiceError> {
        self.user.as_ref().ok_or(ServiceError::SignInRequired)
    }

    /// The user, or an error if there is none or the user has reached the rate limit of actions.
    pub fn require_action(&self, app: &App) -> Result<&User, ServiceError> {
        let user = self.require_user()?;
        if app.limits.allows_action(user.id) { Ok(user) } else { Err(ServiceError::RateLimited) }
    }

    /// The user's number.
    pub fn user_id(&self) -> Option<i64> {
        self.user.as_ref().map(|user| user.id)
    }
}

impl FromRequestParts<App> for Client {
    type Rejection = ServiceError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ServiceError> {
        let token = session_token(parts);
        let user = match &token {
            Some(token) => {
                let since = now_ms() - SESSION_DAYS * 24 * 60 * 60 * 1_000;
                let digest = tokens::digest(token);
                let read = move |c: &_| users::find_by_session(c, &digest, since);
                app.service.store().read(read).await?
            }
            None => None,
        };
        Ok(Client { user, token, address: network(client_address(parts, app)) })
    }
}

/// The session token: programs send it in the `Authorization` header, browsers in a cookie.
fn session_token(parts: &Parts) -> Option<String> {
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

/// The address of the client: that of the connection, or the one that a trusted proxy names.
fn client_address(parts: &Parts, app: &App) -> IpAddr {
    let peer = parts.extensions.get::<ConnectInfo<SocketAddr>>().map(|info| info.0.ip());
    let peer = peer.unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST));
    if !app.config.behind_proxy {
        return peer;
    }
    // The proxy appends the last address. The client could have written the others.
    let forwarded = parts.headers.get_all("x-forwarded-for").iter().next_back();
    let last = forwarded.and_then(|addresses| addresses.to_str().ok()?.rsplit(',').next());
    last.and_then(|address| address.trim().parse().ok()).unwrap_or(peer)
}

/// The address, or its /64 network for IPv6: a client has all addresses of such a network.
fn network(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(v6) => match v6.to_ipv4_mapped() {
            Some(v4) => IpAddr::V4(v4),
            None => IpAddr::V6(Ipv6Addr::from_bits(v6.to_bits() & (!0 << 64))),
        },
    }
}
