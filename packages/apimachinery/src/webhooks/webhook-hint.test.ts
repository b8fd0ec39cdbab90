import { expect, test } from 'vitest';
import { webhookHint } from './webhook-hint.ts';

const failed = (reason: string): string =>
  `Internal error occurred: failed calling webhook "m.example.com": failed to call webhook: ${reason}`;
const conversion = (reason: string): string =>
  `conversion webhook for example.com/v2, Kind=Thing failed: ${reason}`;
const post = (path: string, reason: string): string =>
  `Post "https://webhook-service.system.svc:443${path}?timeout=10s": ${reason}`;

test.each([
  [
    'a webhook that is not set up',
    failed('the operator does not serve /a; it serves /b'),
    'Add its setup function',
  ],
  [
    'a conversion that is not set up',
    conversion('the operator does not serve /convert; it serves /b'),
    'Add the setup function of the conversion',
  ],
  ['a slow webhook', failed(post('/a', 'context deadline exceeded')), 'Let the handler respond faster'],
  ['no operator', failed(post('/a', 'service "webhook-service" not found')), 'Start what serves the webhook'],
  [
    'no operator that converts',
    conversion(post('/convert', 'connection refused')),
    'Start what serves the webhook',
  ],
  [
    'a bug of a handler',
    'admission webhook "m.example.com" denied the request: the webhook failed in A: x',
    'Correct the handler',
  ],
  ['a bug of a conversion', conversion('Thing default/a: x is undefined'), 'Correct the conversion'],
  [
    'a wrong result of a conversion',
    'conversion webhook for example.com/v2, Kind=Thing returned invalid object',
    'Correct the conversion',
  ],
  ['garbage', failed('0-length response with status code: 200'), 'See the log of what serves the webhook'],
])('%s has a hint', (_, message, hint) => {
  expect(webhookHint(message)).toMatch(new RegExp(`^${hint}.*\\.$`));
});

test.each([
  'admission webhook "v.example.com" denied the request: spec.image: must have a tag',
  'things.example.com "a" not found',
])('another refusal has none: %s', (message) => {
  expect(webhookHint(message)).toBeUndefined();
});
