import type { ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { type Reply, warningHeader } from './reply.ts';

/** How a client wants its answer. */
export interface Wishes {
  /** Lines and indents, for people. */
  pretty: boolean;
  gzip: boolean;
}

/** Shorter answers are not worth it. That of a kube-apiserver. */
const gzipThreshold = 128 * 1024;

const pack = promisify(gzip);

export async function writeReply(response: ServerResponse, reply: Reply, wishes: Wishes): Promise<void> {
  const { contentType, text } = await encode(reply, wishes);
  const bytes = Buffer.from(text);
  const { code, warnings = [], headers } = reply;
  const head = {
    'Content-Type': contentType,
    'Cache-Control': 'no-cache, private',
    ...(warnings.length > 0 && { Warning: [...new Set(warnings)].map(warningHeader) }),
    ...headers,
  };
  const isPacked = wishes.gzip && bytes.length >= gzipThreshold;
  const sent = isPacked ? await pack(bytes, { level: 1 }) : bytes;
  if (response.destroyed) return;
  const packing = isPacked && { 'Content-Encoding': 'gzip', Vary: 'Accept-Encoding' };
  response.writeHead(code, { ...head, ...packing, 'Content-Length': sent.length });
  response.end(sent);
}

async function encode(
  { contentType, body, type = 'json' }: Reply,
  { pretty }: Wishes,
): Promise<{ contentType: string; text: string }> {
  if (contentType !== 'application/json' || (type === 'json' && !pretty)) return { contentType, text: body };
  const value: unknown = JSON.parse(body);
  if (type === 'json') return { contentType, text: JSON.stringify(value, undefined, 2) };
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
