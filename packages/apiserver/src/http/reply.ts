import type { HttpResponse } from './http-message.ts';
import type { EventSink } from './event-sink.ts';
import { jsonTextOf } from '../json/stringify-json.ts';

/** A complete answer. */
export interface Reply {
  code: number;
  contentType: string;
  body: string;
  /** What a JSON body shows. Undefined for a body that is made of parts. */
  object?: object;
  /** The rest of a long body, computed while it is written. */
  rest?: Iterator<string>;
  /** The format of a JSON body. Default JSON. */
  type?: 'json' | 'yaml';
  /** Sent as Warning headers. */
  warnings?: readonly string[];
  headers?: Record<string, string>;
}

/** An answer that writes its own head and ends the response itself. */
export interface StreamingReply {
  (response: HttpResponse): void;
  /** How the request ended, if not with 200; 0 if it was not handled. */
  readonly code?: number;
  /** Lets a watch send its events to another sink. */
  readonly toSink?: (sink: EventSink) => void;
}

/** @param value an object that no longer changes */
export function json(code: number, value: object, warnings: readonly string[] = []): Reply {
  return { code, contentType: 'application/json', body: jsonTextOf(value), object: value, warnings };
}

export function text(code: number, body: string): Reply {
  return { code, contentType: 'text/plain; charset=utf-8', body };
}

/** The maximum total length of warnings in characters. Beyond it each one is truncated, and the rest is dropped. */
const maxWarningLength = 4096;
const maxWarningLengthEach = 256;

/**
 * Encodes warnings as headers, without duplicates (RFC 7234: code 299, no agent, the text quoted). Drops those
 * with control characters; others are sent as UTF-8.
 */
export function warningHeaders(messages: readonly string[]): string[] {
  const texts = [...new Set(messages)].filter((message) => message !== '' && !/\p{Cc}/u.test(message));
  const isTooMuch = texts.reduce((sum, { length }) => sum + length, 0) > maxWarningLength;
  let written = 0;
  return texts.flatMap((whole) => {
    if (written >= maxWarningLength) return [];
    const sent = isTooMuch
      ? Array.from(whole.slice(0, 2 * maxWarningLengthEach))
          .slice(0, maxWarningLengthEach)
          .join('')
      : whole;
    written += sent.length;
    return [`299 - ${Buffer.from(JSON.stringify(sent)).toString('latin1')}`];
  });
}
