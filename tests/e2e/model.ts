import type { IncomingMessage, ServerResponse } from "node:http";
import { LLMock } from "@copilotkit/aimock";

export interface Call {
  name: string;
  arguments: Record<string, unknown> | string;
  id?: string;
}

/** What the endpoint answers to one request. */
export type Turn = TurnBody & {
  /** The pause before each chunk, for a test that acts while text arrives. */
  latencyMs?: number;
  /** Characters a chunk. */
  chunkSize?: number;
  /** Ends the connection after this many chunks. */
  cutAfterChunks?: number;
};

type TurnBody =
  | { text?: string; reasoning?: string; calls?: Call[] }
  | { status: number; message?: string; retryAfterSeconds?: number }
  | { chaos: "drop" | "malformed" | "disconnect" };

type Body = any;

/** An OpenAI-compatible endpoint on a free port that answers from a script, in order. */
export class Model {
  /** The body of every chat request, in order. */
  readonly requests: Body[] = [];
  readonly #mock: LLMock;
  readonly #order = new WeakMap<object, number>();
  #scripted = 0;

  private constructor(mock: LLMock) {
    this.#mock = mock;
  }

  static async start(): Promise<Model> {
    const mock = new LLMock({ port: 0, host: "127.0.0.1", logLevel: "silent" });
    const model = new Model(mock);
    await mock.start();
    // Chromium repeats a request silently when a reused connection ends without an answer, which would
    // take the next scripted answer. So no connection is reused.
    const server = mock["serverInstance"]?.server;
    if (server === undefined) throw new Error("aimock keeps its server elsewhere now: look for it in its LLMock class");
    server.prependListener("request", closeAfterAnswer);
    server.prependListener("request", nameThinking);
    return model;
  }

  /** The base address for the settings. */
  get endpoint(): string {
    return `${this.#mock.url}/v1`;
  }

  /** How many requests the script had no answer for. */
  get unexpected(): number {
    return Math.max(0, this.requests.length - this.#scripted);
  }

  /** The headers of chat request `index`, with lower-case names; keys are shown as "[REDACTED]". */
  headers(index: number): Record<string, string> {
    const chats = this.#mock.getRequests().filter(({ path }) => path.includes("chat/completions"));
    return chats[index].headers;
  }

  /** Adds answers to the next requests: the first to the next one, and so on. */
  script(turns: Turn[]): this {
    for (const turn of turns) {
      const index = this.#scripted;
      this.#scripted += 1;
      this.#mock.addFixture({
        match: { predicate: (request) => this.#indexOf(request) === index },
        response: response(turn, index),
        ...options(turn),
      });
    }
    return this;
  }

  async stop(): Promise<void> {
    await this.#mock.stop();
  }

  #indexOf(request: object): number {
    const known = this.#order.get(request);
    if (known !== undefined) return known;
    const index = this.requests.length;
    this.#order.set(request, index);
    this.requests.push(request);
    return index;
  }
}

function closeAfterAnswer(_request: IncomingMessage, answer: ServerResponse) {
  const setHeader = answer.setHeader.bind(answer);
  setHeader("Connection", "close");
  answer.setHeader = (name, value) => (name.toLowerCase() === "connection" ? answer : setHeader(name, value));
}

/** aimock names Ollama's thinking as others do theirs; Ollama itself names it `thinking`. */
function nameThinking(request: IncomingMessage, answer: ServerResponse) {
  if (!request.url?.includes("/api/")) return;
  const write = answer.write.bind(answer) as (chunk: unknown) => boolean;
  answer.write = (chunk: unknown) => write(typeof chunk === "string" ? chunk.replaceAll('"reasoning_content":', '"thinking":') : chunk);
}

function response(turn: Turn, index: number): Body {
  if ("chaos" in turn) return { content: "never sent" };
  if ("status" in turn) {
    return {
      status: turn.status,
      error: { message: turn.message ?? `scripted ${turn.status}`, type: "scripted_error" },
      ...(turn.retryAfterSeconds !== undefined && { retryAfter: turn.retryAfterSeconds }),
    };
  }
  const reasoning = turn.reasoning === undefined ? {} : { reasoning: turn.reasoning };
  if (turn.calls === undefined) return { content: turn.text ?? "", ...reasoning };
  const toolCalls = turn.calls.map((call, n) => ({
    id: call.id ?? `call_${index}_${n}`,
    name: call.name,
    arguments: typeof call.arguments === "string" ? call.arguments : JSON.stringify(call.arguments),
  }));
  return turn.text === undefined ? { toolCalls, ...reasoning } : { content: turn.text, toolCalls, ...reasoning };
}

function options(turn: Turn) {
  const chaos = { drop: "dropRate", malformed: "malformedRate", disconnect: "disconnectRate" } as const;
  return {
    // A cut needs a pause, so that the chunks before it leave the server.
    ...((turn.latencyMs ?? turn.cutAfterChunks) !== undefined && { latency: turn.latencyMs ?? 20 }),
    ...(turn.chunkSize !== undefined && { chunkSize: turn.chunkSize }),
    ...(turn.cutAfterChunks !== undefined && { truncateAfterChunks: turn.cutAfterChunks }),
    ...("chaos" in turn && { chaos: { [chaos[turn.chaos]]: 1 } }),
  };
}
