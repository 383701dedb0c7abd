import { createReadStream, existsSync, statSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";

export const dist = fileURLToPath(new URL("../../dist/", import.meta.url));

const TYPES: Record<string, string> = {
  ".css": "text/css; charset=utf-8",
  ".db": "application/vnd.sqlite3",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".webmanifest": "application/manifest+json",
  ".wasm": "application/wasm",
};

export interface Site {
  /** The page, with a slash at the end. */
  url: string;
  stop(): Promise<void>;
}

/** Serves the built page, or a changed copy of it, on a free port. A POST gets an HTML page, as from no API. */
export async function startSite(folder = dist): Promise<Site> {
  if (!existsSync(join(folder, "index.html"))) {
    throw new Error("dist/index.html does not exist: run `cargo xtask test`, or build the page with `trunk build --release`");
  }
  const server = createServer((request, response) => answer(folder, request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function answer(folder: string, request: IncomingMessage, response: ServerResponse) {
  if (request.method === "POST") {
    response.writeHead(200, { "Content-Type": TYPES[".html"] }).end("<!doctype html><title>Sign in</title><h1>Sign in</h1>");
    return;
  }
  const { pathname } = new URL(request.url ?? "/", "http://site");
  const file = join(folder, normalize(decodeURIComponent(pathname.endsWith("/") ? `${pathname}index.html` : pathname)));
  if (!file.startsWith(folder) || !existsSync(file) || !statSync(file).isFile()) {
    response.writeHead(404, { "Content-Type": "text/plain; charset=utf-8" }).end("not here\n");
    return;
  }
  response.writeHead(200, {
    "Content-Type": TYPES[extname(file)] ?? "application/octet-stream",
    "Content-Length": statSync(file).size,
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
  });
  createReadStream(file).pipe(response);
}
