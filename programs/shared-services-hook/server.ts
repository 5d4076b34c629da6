import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { HookConfig } from '../../src/tenancy/runtime/program-config';
import { assignSeats } from './assign-seats';
import { customize, customizeSeats } from './customize';
import { sync } from './sync';
import { withdraw } from './withdraw';

/** What one message may have at most: some thousand listeners with everything that the API server adds to them. */
export const MOST_BYTES = 32 * 1024 * 1024;

const HOOKS = ['/sync', '/finalize', '/customize', '/seats', '/customize-seats'];

/** What is wrong with a message, with the status to answer. */
class BadMessage extends Error {
  public constructor(
    public readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** A server that answers hooks; it keeps nothing from one message to the next. */
export function hookServer(config: HookConfig, now = () => new Date()): Server {
  return createServer((request, response) => {
    answerTo(request, config, now).then(
      (answer) => send(response, 200, answer),
      (error: Error) =>
        send(response, error instanceof BadMessage ? error.status : 500, { error: `${request.url}: ${error.message}` }),
    );
  });
}

async function answerTo(request: IncomingMessage, config: HookConfig, now: () => Date): Promise<unknown> {
  const { method, url } = request;
  if (url === '/healthz') {
    return { ok: true };
  }
  if (url === undefined || !HOOKS.includes(url)) {
    throw new BadMessage(404, `there is no such hook; there are ${HOOKS.join(', ')}`);
  }
  if (method !== 'POST') {
    throw new BadMessage(405, `a hook is called with POST, not with ${method}`);
  }
  const message = parsed(await bodyOf(request));
  if (url === '/customize' || url === '/customize-seats') {
    return (url === '/customize' ? customize : customizeSeats)(message.parent ?? message.object, config);
  }
  const seconds = `${now().toISOString().slice(0, 19)}Z`;
  const hook = url === '/seats' ? assignSeats : url === '/finalize' ? withdraw : sync;
  return hook(message, config, seconds);
}

function bodyOf(request: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > MOST_BYTES) {
        chunks.length = 0;
        reject(new BadMessage(413, `the message has more than ${MOST_BYTES} bytes`));
      } else {
        chunks.push(chunk);
      }
    });
    request.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
    request.on('error', reject);
  });
}

function parsed(body: string) {
  try {
    const message = JSON.parse(body);
    if (!(message?.object ?? message?.parent)?.metadata) {
      throw new Error('it names no object');
    }
    return message;
  } catch (error) {
    throw new BadMessage(400, `the message cannot be read: ${(error as Error).message}`);
  }
}

function send(response: ServerResponse, status: number, answer: unknown): void {
  if (!response.headersSent) {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  }
}
