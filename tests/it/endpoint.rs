//! An evaluation's endpoint: the same requests and decoders as the page's, against a scripted local server.

use crate::agent::desk::Desk;
use assent::agent::record::Outcome;
use assent::llm::{Family, ModelErrorKind};
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread::JoinHandle;

#[path = "../../examples/evaluate/http.rs"]
mod http;
use http::Endpoint;

const KEY: &str = "sk-local-0123456789";

/// Serves the answers in order, and gives back the requests as they came.
fn serve(answers: Vec<String>) -> (String, JoinHandle<Vec<String>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/v1", listener.local_addr().unwrap());
    let served = std::thread::spawn(move || {
        let mut requests = Vec::new();
        for answer in answers {
            let (mut socket, _) = listener.accept().unwrap();
            requests.push(request(&mut socket));
            socket.write_all(answer.as_bytes()).unwrap();
        }
        requests
    });
    (address, served)
}

/// Head and body, as long as the head says.
fn request(socket: &mut TcpStream) -> String {
    let (mut bytes, mut buffer) = (Vec::new(), [0; 4_096]);
    loop {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head
                .lines()
                .find_map(|l| l.strip_prefix("content-length: "))
                .map_or(0, |n| n.parse::<usize>().unwrap());
            if body.len() >= length {
                return text;
            }
        }
        let read = socket.read(&mut buffer).unwrap();
        assert!(read > 0, "the request ended early: {text}");
        bytes.extend_from_slice(&buffer[..read]);
    }
}

fn streamed(deltas: &[Value], finish: &str) -> String {
    let mut body = String::new();
    for delta in deltas {
        let frame = json!({"choices": [{"index": 0, "delta": delta}]});
        body.push_str(&format!("data: {frame}\n\n"));
    }
    let last = json!({"choices": [{"index": 0, "delta": {}, "finish_reason": finish}]});
    body.push_str(&format!("data: {last}\n\ndata: [DONE]\n\n"));
    format!(
        "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n{:x}\r\n{body}\r\n0\r\n\r\n",
        body.len()
    )
}

fn plain(status: &str, body: &Value) -> String {
    let body = body.to_string();
    format!(
        "HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )
}

#[test]
fn a_question_is_answered_over_a_socket_with_the_pages_own_requests() {
    let arguments = json!({"reasoning": "r", "analysis": "a", "sql": "SELECT count(*) FROM orders", "final_check": "f"});
    let call = json!({"tool_calls": [{"index": 0, "id": "c1", "type": "function",
        "function": {"name": "run_sql", "arguments": arguments.to_string()}}]});
    let (address, served) = serve(vec![
        streamed(&[call], "tool_calls"),
        streamed(
            &[
                json!({"content": "There are "}),
                json!({"content": "2 orders."}),
            ],
            "stop",
        ),
    ]);
    let mut endpoint = Endpoint::new(&address, "small-model", None, KEY.to_owned());
    let mut desk = Desk::with(
        "CREATE TABLE orders(id INTEGER PRIMARY KEY); INSERT INTO orders VALUES (1), (2);",
    );
    desk.ask("How many orders are there?");
    for approves in [true, false] {
        let turn = endpoint.turn(desk.requests.last().unwrap()).unwrap();
        desk.turn(turn.parts, turn.finish.unwrap());
        if approves {
            desk.approve();
        }
    }
    assert_eq!(desk.run.turns()[0].outcome, Some(Outcome::Answered));

    let requests = served.join().unwrap();
    let (head, body) = requests[1].split_once("\r\n\r\n").unwrap();
    assert!(
        head.starts_with("POST /v1/chat/completions HTTP/1.1\r\n"),
        "{head}"
    );
    assert!(head.contains(&format!("authorization: Bearer {KEY}")));
    let body: Value = serde_json::from_str(body).unwrap();
    assert_eq!(body["model"], "small-model");
    assert!(!body.to_string().contains(KEY));
    assert!(body["tools"].as_array().unwrap().len() >= 7);
}

#[test]
fn a_refused_parameter_is_left_out_and_a_refused_key_is_named_but_never_repeated() {
    let refused = json!({"error": {"message": "Unsupported parameter: 'stream_options'", "param": "stream_options",
        "code": "unsupported_parameter", "type": "invalid_request_error"}});
    let (address, served) = serve(vec![
        plain("400 Bad Request", &refused),
        streamed(&[json!({"content": "Hello."})], "stop"),
        plain(
            "401 Unauthorized",
            &json!({"error": {"message": format!("bad key {KEY}")}}),
        ),
    ]);
    let mut endpoint = Endpoint::new(&address, "m", Some(Family::OpenAi), KEY.to_owned());
    let mut desk = Desk::with("CREATE TABLE orders(id INTEGER PRIMARY KEY);");
    desk.ask("Hello?");
    let request = desk.requests.last().unwrap().clone();
    assert!(!endpoint.turn(&request).unwrap().parts.is_empty());
    let error = endpoint.turn(&request).unwrap_err();
    assert_eq!(error.kind, ModelErrorKind::Unauthorised);
    assert!(!error.message.contains(KEY), "{}", error.message);
    let requests = served.join().unwrap();
    assert!(requests[0].contains("stream_options") && !requests[1].contains("stream_options"));
}

#[test]
fn an_address_where_nobody_answers_is_named() {
    let free = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", free.local_addr().unwrap());
    drop(free);
    let mut desk = Desk::with("CREATE TABLE orders(id INTEGER PRIMARY KEY);");
    desk.ask("Hello?");
    let mut endpoint = Endpoint::new(&address, "m", None, String::new());
    let error = endpoint.turn(desk.requests.last().unwrap()).unwrap_err();
    assert_eq!(error.kind, ModelErrorKind::Unreachable);
}
