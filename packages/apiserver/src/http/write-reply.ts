import type { ServerResponse } from 'node:http';
import { gzip } from 'node:zlib';
import { stringify } from 'yaml';
import { type Reply, warningHeader } from './reply.ts';

/** How a client wants its answer. */
export interface Wishes {
  /** Lines and indents, for people. */
  pretty: boolean;
  gzip: boolean;
}

/** Shorter answers are not worth it. That of a kube-apiserver. */
const gzipThreshold = 128 * 1024;

export function writeReply(response: ServerResponse, reply: Reply, wishes: Wishes): void {
  const { contentType, text } = encode(reply, wishes);
  const bytes = Buffer.from(text);
  const { code, warnings = [], headers } = reply;
  const head = {
    'Content-Type': contentType,
    'Cache-Control': 'no-cache, private',
    ...(warnings.length > 0 && { Warning: [...new Set(warnings)].map(warningHeader) }),
    ...headers,
  };
  const send = (body: Buffer, more: Record<string, string>) => {
    if (response.destroyed) return;
    response.writeHead(code, { ...head, ...more, 'Content-Length': body.length });
    response.end(body);
  };
  if (!wishes.gzip || bytes.length < gzipThreshold) {
    send(bytes, {});
    return;
  }
  gzip(bytes, { level: 1 }, (error, packed) => {
    if (error) send(bytes, {});
    else send(packed, { 'Content-Encoding': 'gzip', Vary: 'Accept-Encoding' });
  });
}

function encode(
  { contentType, body, type = 'json' }: Reply,
  { pretty }: Wishes,
): { contentType: string; text: string } {
  if (contentType !== 'application/json' || (type === 'json' && !pretty)) return { contentType, text: body };
  const value: unknown = JSON.parse(body);
  if (type === 'json') return { contentType, text: JSON.stringify(value, undefined, 2) };
  // YAML 1.1, which Go reads: `yes` and `012` need quotes there.
  const text = stringify(value, {
    version: '1.1',
    sortMapEntries: true,
    aliasDuplicateObjects: false,
    lineWidth: 0,
  });
  return { contentType: 'application/yaml', text };
}
