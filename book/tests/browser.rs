//! The built book in a real browser: nothing fails, nothing is wider than the window, all text can be read.

use book::Project;
use serde::Deserialize;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::Duration;

const PROBE: &str = include_str!("probe.html");
const PATIENCE: Duration = Duration::from_secs(240);

/// What the probe saw of a page.
#[derive(Debug, Deserialize)]
struct Seen {
    page: String,
    width: u32,
    theme: String,
    title: String,
    wide: Vec<String>,
    faint: Vec<String>,
}

/// What the server tells: the probe's report, or an address that it does not have.
enum Told {
    Seen(Vec<Seen>),
    Missing(String),
}

fn browser() -> Option<&'static str> {
    let found = ["chromium", "chromium-browser", "google-chrome"].into_iter().find(|name| {
        let asked = Command::new(name).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
        asked.is_ok_and(|status| status.success())
    });
    if found.is_none() {
        eprintln!("skipped: no chromium is installed");
    }
    found
}

fn pages(dir: &Path) -> Vec<String> {
    let entries = fs::read_dir(dir).expect("the book lies there");
    let names =
        entries.map(|entry| entry.expect("it can be listed").file_name().to_string_lossy().into_owned());
    // The page for printing opens a dialogue; the table of contents is a part of pages without JavaScript.
    let mut pages: Vec<String> = names
        .filter(|name| name.ends_with(".html") && !["print.html", "toc.html"].contains(&&**name))
        .collect();
    pages.sort();
    pages
}

/// One request after the other, until nobody listens to what is told.
fn serve(listener: &TcpListener, dir: &Path, told: &Sender<Told>) {
    for stream in listener.incoming() {
        let Ok(stream) = stream else { return };
        let (dir, told) = (dir.to_path_buf(), told.clone());
        thread::spawn(move || answer(stream, &dir, &told));
    }
}

fn answer(mut stream: TcpStream, dir: &Path, told: &Sender<Told>) -> Option<()> {
    let mut reader = BufReader::new(stream.try_clone().ok()?);
    let mut request = String::new();
    reader.read_line(&mut request).ok()?;
    let mut length = 0;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        let line = line.trim().to_lowercase();
        if let Some(value) = line.strip_prefix("content-length:") {
            length = value.trim().parse().ok()?;
        }
        if line.is_empty() {
            break;
        }
    }
    let path = request.split(' ').nth(1)?.split('?').next()?.trim_start_matches('/').to_owned();
    let body = match &*path {
        "probe" => PROBE.as_bytes().to_vec(),
        "probe-pages" => serde_json::to_vec(&pages(dir)).ok()?,
        "probe-seen" => {
            let mut body = vec![0; length];
            reader.read_exact(&mut body).ok()?;
            told.send(Told::Seen(serde_json::from_slice(&body).expect("the probe writes JSON"))).ok()?;
            Vec::new()
        }
        path => match fs::read(dir.join(path)) {
            Ok(body) => body,
            Err(_) => {
                told.send(Told::Missing(path.to_owned())).ok()?;
                return write!(
                    stream,
                    "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
                )
                .ok();
            }
        },
    };
    let kind = match path.rsplit('.').next() {
        Some("css") => "text/css",
        Some("js") => "text/javascript",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("woff2") => "font/woff2",
        _ => "text/html; charset=utf-8",
    };
    let head = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(&body)).ok()
}

/// A browser that reaches no other host.
fn start(browser: &str, home: &Path, address: &str, log: &Path) -> Child {
    let log = fs::File::create(log).expect("a file for what it says");
    Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run"])
        .args(["--disable-background-networking", "--disable-component-update", "--disable-sync"])
        .args(["--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1"])
        .args(["--enable-logging=stderr", "--window-size=1400,900", "--remote-debugging-port=0"])
        .arg(format!("--user-data-dir={}", home.display()))
        .arg(format!("http://{address}/probe"))
        .stdout(Stdio::null())
        .stderr(log)
        .spawn()
        .expect("it said its version a moment ago")
}

#[test]
fn nothing_fails_nothing_is_too_wide_and_all_can_be_read() {
    let Some(browser) = browser() else { return };
    let project = Project::here().expect("the course and its recordings can be read");
    let place = tempfile::tempdir().expect("a temporary directory");
    let dir: PathBuf = place.path().join("book");
    book::build(&project, &dir).expect("it can be built");
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port of our own");
    let address = listener.local_addr().expect("it has one").to_string();
    let (tell, told) = channel();
    let served = dir.clone();
    thread::spawn(move || serve(&listener, &served, &tell));
    let log = place.path().join("log");
    let mut child = start(browser, &place.path().join("home"), &address, &log);
    let mut missing = Vec::new();
    let seen = loop {
        match told.recv_timeout(PATIENCE) {
            Ok(Told::Seen(seen)) => break Some(seen),
            Ok(Told::Missing(path)) => missing.push(path),
            Err(_) => break None,
        }
    };
    child.kill().and_then(|()| child.wait().map(drop)).expect("it was ours");
    let log = String::from_utf8_lossy(&fs::read(&log).expect("it was written")).into_owned();
    let seen = seen.unwrap_or_else(|| panic!("the probe did not come to an end:\n{log}"));

    // The browser asks for the probe's own icon.
    missing.retain(|path| path != "favicon.ico");
    assert!(missing.is_empty(), "not there: {missing:?}");
    let console: Vec<&str> =
        log.lines().filter(|line| line.contains("CONSOLE") && !line.contains("/favicon.ico")).collect();
    assert!(console.is_empty(), "{}", console.join("\n"));
    assert_eq!(seen.len(), 3 * pages(&dir).len());
    let mut wrong = String::new();
    for Seen { page, width, theme, title, wide, faint } in &seen {
        assert!(!title.is_empty(), "{page} did not come");
        let all = wide
            .iter()
            .map(|it| format!("too wide: {it}"))
            .chain(faint.iter().map(|it| format!("faint: {it}")));
        all.for_each(|it| wrong += &format!("{page} at {width} px, {theme}: {it}\n"));
    }
    assert!(wrong.is_empty(), "{wrong}");
}
