//! Rate limits, as token buckets.

use std::collections::HashMap;
use std::hash::Hash;
use std::net::IpAddr;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use crate::lock;

/// A rate limit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rate {
    /// The number of requests that may come at once.
    burst: f64,
    /// The number of requests per second in the long run.
    per_second: f64,
}

impl Rate {
    /// A burst, and a number of requests per second.
    pub fn per_second(burst: u32, requests: u32) -> Self {
        Rate { burst: burst.into(), per_second: requests.into() }
    }

    /// A burst, and a number of requests per minute.
    pub fn per_minute(burst: u32, requests: u32) -> Self {
        Rate { burst: burst.into(), per_second: f64::from(requests) / 60.0 }
    }
}

/// Token buckets, one per key. A request takes a token; the buckets are refilled at the rate.
#[derive(Debug)]
struct TokenBuckets<K> {
    rate: Rate,
    /// The number of tokens at an instant.
    buckets: Mutex<HashMap<K, (f64, Instant)>>,
}

/// When there are more buckets than this, the full ones are removed.
const MAX_BUCKETS: usize = 10_000;

impl<K: Hash + Eq> TokenBuckets<K> {
    fn new(rate: Rate) -> Self {
        TokenBuckets { rate, buckets: Mutex::default() }
    }

    fn take(&self, key: K, now: Instant) -> bool {
        let Rate { burst, per_second } = self.rate;
        let refilled = |(tokens, at): (f64, Instant)| {
            burst.min(tokens + now.saturating_duration_since(at).as_secs_f64() * per_second)
        };
        let mut buckets = lock(&self.buckets);
        if buckets.len() > MAX_BUCKETS {
            buckets.retain(|_, bucket| refilled(*bucket) < burst);
        }
        let bucket = buckets.entry(key).or_insert((burst, now));
        let tokens = refilled(*bucket);
        let is_allowed = tokens >= 1.0;
        *bucket = (if is_allowed { tokens - 1.0 } else { tokens }, now);
        is_allowed
    }
}

/// All rate limits of a server.
#[derive(Debug)]
pub struct RateLimits {
    sign_ups: TokenBuckets<IpAddr>,
    actions: TokenBuckets<i64>,
    questions: TokenBuckets<IpAddr>,
    sockets: Mutex<HashMap<IpAddr, usize>>,
    max_sockets: usize,
}

impl RateLimits {
    /// Limits for sign-ups and log-ins per address, actions per user, expensive questions per
    /// address, and open sockets per address.
    pub fn new(sign_ups: Rate, actions: Rate, questions: Rate, max_sockets: usize) -> Self {
        RateLimits {
            sign_ups: TokenBuckets::new(sign_ups),
            actions: TokenBuckets::new(actions),
            questions: TokenBuckets::new(questions),
            sockets: Mutex::default(),
            max_sockets,
        }
    }

    /// Whether this address may sign up or log in now.
    pub fn allows_sign_up(&self, address: IpAddr) -> bool {
        self.sign_ups.take(address, Instant::now())
    }

    /// Whether this user may act now.
    pub fn allows_action(&self, user: i64) -> bool {
        self.actions.take(user, Instant::now())
    }

    /// Whether this address may ask an expensive question now.
    pub fn allows_question(&self, address: IpAddr) -> bool {
        self.questions.take(address, Instant::now())
    }

    /// Counts an open socket until the guard is dropped. `None` if the address has too many.
    pub fn open_socket(self: &Arc<Self>, address: IpAddr) -> Option<SocketGuard> {
        let mut sockets = lock(&self.sockets);
        let open = sockets.entry(address).or_default();
        if *open >= self.max_sockets {
            return None;
        }
        *open += 1;
        Some(SocketGuard { limits: self.clone(), address })
    }
}

/// An open socket.
#[derive(Debug)]
pub struct SocketGuard {
    limits: Arc<RateLimits>,
    address: IpAddr,
}

impl Drop for SocketGuard {
    fn drop(&mut self) {
        let mut sockets = lock(&self.limits.sockets);
        if let Some(open) = sockets.get_mut(&self.address) {
            *open -= 1;
            if *open == 0 {
                sockets.remove(&self.address);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn bucket_is_emptied_and_refilled() {
        let buckets = TokenBuckets::new(Rate::per_second(2, 10));
        let now = Instant::now();
        let takes = [buckets.take(1, now), buckets.take(1, now), buckets.take(1, now)];
        assert_eq!(takes, [true, true, false]);
        assert!(buckets.take(2, now), "another key has another bucket");
        assert!(!buckets.take(1, now + Duration::from_millis(90)));
        assert!(buckets.take(1, now + Duration::from_millis(190)));
    }

    #[test]
    fn closed_socket_makes_room_for_another() {
        let rate = Rate::per_second(1, 1);
        let limits = Arc::new(RateLimits::new(rate, rate, rate, 1));
        let address = "127.0.0.1".parse().unwrap();
        let first = limits.open_socket(address);
        assert!(first.is_some() && limits.open_socket(address).is_none());
        drop(first);
        assert!(limits.open_socket(address).is_some());
    }
}
