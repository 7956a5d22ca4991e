//! Tests of the server from outside, over HTTP and WebSockets.

mod api_clients;
mod common;
mod invalid_requests;
mod leak;
mod migration;
mod play;
mod rule_examples;
