//! How fast is too fast.

use std::collections::HashMap;
use std::hash::Hash;
use std::net::IpAddr;
use std::sync::Mutex;
use std::time::Instant;

/// So many at once, and so many a second in the long run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rate {
    /// At once.
    pub burst: f64,
    /// A second.
    pub a_second: f64,
}

impl Rate {
    /// A burst, and a number per second.
    pub fn per_second(burst: u32, count: u32) -> Self {
        Rate { burst: burst.into(), a_second: count.into() }
    }

    /// A burst, and a number per minute.
    pub fn per_minute(burst: u32, count: u32) -> Self {
        Rate { burst: burst.into(), a_second: f64::from(count) / 60.0 }
    }
}

/// Buckets of tokens, one for each who comes: whoever takes faster than they fill up has to wait.
#[derive(Debug)]
struct Buckets<K> {
    pace: Rate,
    buckets: Mutex<HashMap<K, (f64, Instant)>>,
}

/// So many buckets are kept before the full ones are thrown away.
const MANY: usize = 10_000;

impl<K: Hash + Eq> Buckets<K> {
    fn new(pace: Rate) -> Self {
        Buckets { pace, buckets: Mutex::default() }
    }

    fn take(&self, key: K, now: Instant) -> bool {
        let Rate { burst, a_second } = self.pace;
        let filled = |(left, at): (f64, Instant)| {
            burst.min(left + now.saturating_duration_since(at).as_secs_f64() * a_second)
        };
        let mut buckets = self.buckets.lock().expect("nobody panics with it");
        if buckets.len() > MANY {
            buckets.retain(|_, bucket| filled(*bucket) < burst);
        }
        let bucket = buckets.entry(key).or_insert((burst, now));
        let left = filled(*bucket);
        let enough = left >= 1.0;
        *bucket = (if enough { left - 1.0 } else { left }, now);
        enough
    }
}

/// All limits of a server.
#[derive(Debug)]
pub struct RateLimits {
    sign_ups: Buckets<IpAddr>,
    actions: Buckets<i64>,
    costly: Buckets<IpAddr>,
    sockets: Mutex<HashMap<IpAddr, usize>>,
    most_sockets: usize,
}

impl RateLimits {
    /// With these: sign-ups and sign-ins of an address, actions of a person, what costs the server much of an address, and sockets of an
    /// address.
    pub fn new(sign_ups: Rate, actions: Rate, costly: Rate, most_sockets: usize) -> Self {
        RateLimits {
            sign_ups: Buckets::new(sign_ups),
            actions: Buckets::new(actions),
            costly: Buckets::new(costly),
            sockets: Mutex::default(),
            most_sockets,
        }
    }

    /// Whether somebody there may sign up or in now.
    pub fn sign_up(&self, address: IpAddr) -> bool {
        self.sign_ups.take(address, Instant::now())
    }

    /// Whether this person may act now.
    pub fn act(&self, person: i64) -> bool {
        self.actions.take(person, Instant::now())
    }

    /// Whether somebody there may ask for something costly now.
    pub fn ask_much(&self, address: IpAddr) -> bool {
        self.costly.take(address, Instant::now())
    }

    /// One more socket, until the guard is dropped; or one too many.
    pub fn open_socket(self: &std::sync::Arc<Self>, address: IpAddr) -> Option<OpenSocket> {
        let mut sockets = self.sockets.lock().expect("nobody panics with it");
        let open = sockets.entry(address).or_default();
        if *open >= self.most_sockets {
            return None;
        }
        *open += 1;
        Some(OpenSocket { limits: self.clone(), address })
    }
}

/// A socket that is open.
#[derive(Debug)]
pub struct OpenSocket {
    limits: std::sync::Arc<RateLimits>,
    address: IpAddr,
}

impl Drop for OpenSocket {
    fn drop(&mut self) {
        let mut sockets = self.limits.sockets.lock().expect("nobody panics with it");
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
    fn a_bucket_empties_and_fills_up_again() {
        let buckets = Buckets::new(Rate { burst: 2.0, a_second: 10.0 });
        let now = Instant::now();
        let takes = [buckets.take(1, now), buckets.take(1, now), buckets.take(1, now)];
        assert_eq!(takes, [true, true, false]);
        assert!(buckets.take(2, now), "another's bucket is full");
        assert!(!buckets.take(1, now + Duration::from_millis(90)));
        assert!(buckets.take(1, now + Duration::from_millis(190)));
    }

    #[test]
    fn a_socket_that_closes_makes_room() {
        let pace = Rate { burst: 1.0, a_second: 1.0 };
        let limits = std::sync::Arc::new(RateLimits::new(pace, pace, pace, 1));
        let here = "127.0.0.1".parse().unwrap();
        let first = limits.open_socket(here);
        assert!(first.is_some() && limits.open_socket(here).is_none());
        drop(first);
        assert!(limits.open_socket(here).is_some());
    }
}
