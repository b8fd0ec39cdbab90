import type { ServerResponse } from 'node:http';
import { jsonTextOf } from '../objects/json-text-of.ts';

/** An answer that is written at once. */
export interface Reply {
  code: number;
  contentType: string;
  body: string;
  /** The form that JSON is written in. Default JSON. */
  type?: 'json' | 'yaml';
  /** Sent as Warning headers. */
  warnings?: readonly string[];
  headers?: Record<string, string>;
}

/** An answer that goes on: a watch. It writes its own head and ends the response itself. */
export type StreamingReply = (response: ServerResponse) => void;

/** @param value what nobody changes any more */
export function json(code: number, value: object, warnings: readonly string[] = []): Reply {
  return { code, contentType: 'application/json', body: jsonTextOf(value), warnings };
}

export function text(code: number, body: string): Reply {
  return { code, contentType: 'text/plain; charset=utf-8', body };
}

/** RFC 7234: code 299, no agent, the text quoted. Headers carry no line breaks and no bytes beyond ASCII. */
export function warningHeader(message: string): string {
  const printable = message.replaceAll(/[^\x20-\x7e]/g, '?');
  return `299 - ${JSON.stringify(printable)}`;
}
