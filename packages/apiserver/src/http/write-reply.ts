import type { ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { jsonDepth } from '../json/json-depth.ts';
import { parseJson } from '../json/parse-json.ts';
import { stringifyJson } from '../json/stringify-json.ts';
import { endResponse } from './end-response.ts';
import { type Reply, warningHeaders } from './reply.ts';
import { writeParts } from './write-parts.ts';

/** How a client wants its answer. */
export interface Wishes {
  /** Lines and indents, for people. */
  pretty: boolean;
  gzip: boolean;
}

/** Shorter answers are not worth it. That of a kube-apiserver. */
const gzipThreshold = 128 * 1024;

/** How deep an answer may be nested that is written in lines. A real server indents all of them. */
const indentedDepth = 200;

/** To copy a longer text behind the head costs more than a write of its own. */
const maxJoinedLength = 16 * 1024;

const packing = { 'Content-Encoding': 'gzip', Vary: 'Accept-Encoding' };

const pack = promisify(gzip);

export async function writeReply(response: ServerResponse, reply: Reply, wishes: Wishes): Promise<void> {
  const { rest } = reply;
  if (rest && !isPlain(reply, wishes)) {
    // Other forms need all of it. Few ask for them.
    const { rest: _, ...whole } = reply;
    for (let part = rest.next(); !part.done; part = rest.next()) whole.body += part.value;
    return writeReply(response, whole, wishes);
  }
  const { contentType, text } = await encode(reply, wishes);
  const { code, warnings = [], headers } = reply;
  const head = {
    'Content-Type': contentType,
    'Cache-Control': 'no-cache, private',
    ...(warnings.length > 0 && { Warning: warningHeaders(warnings) }),
    ...headers,
  };
  if (rest) {
    response.writeHead(code, { ...head, ...(wishes.gzip && packing) });
    return writeParts(response, text, rest, wishes.gzip);
  }
  // A short text goes out in one write with the head, which is encoded like it; warnings are in UTF-8 already.
  const isJoined = text.length < maxJoinedLength && warnings.length === 0;
  const sent = isJoined ? text : Buffer.from(text);
  const isPacked = wishes.gzip && sent.length >= gzipThreshold;
  const packed = isPacked ? await pack(sent, { level: 1 }) : undefined;
  if (response.destroyed) return;
  const body = packed ?? sent;
  response.writeHead(code, { ...head, ...(packed && packing), 'Content-Length': Buffer.byteLength(body) });
  endResponse(response, body);
}

/** Whether JSON goes out as it is. */
function isPlain({ contentType, type = 'json' }: Reply, { pretty }: Wishes): boolean {
  return contentType !== 'application/json' || (type === 'json' && !pretty);
}

async function encode(reply: Reply, wishes: Wishes): Promise<{ contentType: string; text: string }> {
  const { contentType, body, type = 'json' } = reply;
  if (isPlain(reply, wishes)) return { contentType, text: body };
  // What is nested deeper would be mostly indentation. JSON is YAML, too.
  if (jsonDepth(body) > indentedDepth) {
    return { contentType: type === 'json' ? contentType : 'application/yaml', text: body };
  }
  const value = parseJson(body);
  if (type === 'json') return { contentType, text: stringifyJson(value, 2) };
  // Few ask for it: most servers never load this.
  const { stringify } = await import('yaml');
  // YAML 1.1, which Go reads: `yes` and `012` need quotes there.
  const text = stringify(value, {
    version: '1.1',
    sortMapEntries: true,
    aliasDuplicateObjects: false,
    lineWidth: 0,
  });
  return { contentType: 'application/yaml', text };
}
