import { masked } from '../../support/masked.ts';
import { inOrder } from '../../support/in-order.ts';
import type { Answer, Session } from '../../support/session.ts';
import { type WebhookType, configureWebhooks, webhookOf } from '../../support/webhook-configurations.ts';
import type { WebhookServer } from '../../support/webhook-server.ts';
import type { Answering } from './response-cases.ts';

/** A name for the label and the path of a case. */
export function slug(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}

/** A webhook that sees only the objects of a case. */
export function webhookOfCase(key: string, clientConfig: object, rest: object = {}): object {
  const webhook = webhookOf(key, clientConfig, { objectSelector: { matchLabels: { case: key } }, ...rest });
  const operations = ['CREATE', 'UPDATE', 'DELETE'];
  return { ...webhook, rules: [{ ...webhook.rules[0], operations, resources: ['*'] }] };
}

/** Configures a webhook for each case, and one for the probe. The key of a case is also its path. */
export async function configureCases(
  session: Session,
  webhooks: WebhookServer,
  type: WebhookType,
  { name, cases, each }: { name: string; cases: Record<string, Answering>; each: object },
): Promise<void> {
  const all = Object.entries(cases).map(([key, answering]) => {
    webhooks.handle(`/${key}`, typeof answering === 'function' ? answering : () => answering);
    return webhookOfCase(key, webhooks.clientConfig(`/${key}`), each);
  });
  const probe = `${name}-probe`;
  const last = webhookOfCase(probe, webhooks.clientConfig(`/${probe}`));
  await configureWebhooks(session, type, { name, webhooks: [...all, last] }, async () => {
    await session.post('/api/v1/namespaces/default/configmaps?dryRun=All', {
      metadata: { name: 'probe', labels: { case: probe } },
    });
    return webhooks.takeCalls().some(({ path }) => path === `/${probe}`);
  });
}

/** What an answer says, without what differs from run to run. */
export function outcomeOf({ code, body, warnings, headers }: Answer): Record<string, unknown> {
  const { status, message, reason, details, metadata } = inOrder(withoutAddresses(body));
  const retryAfter = headers['retry-after'];
  const { data, spec } = body ?? {};
  return {
    code,
    ...(code >= 400 || code < 200
      ? {
          status,
          ...once(message, details),
          reason,
          ...(Object.keys(metadata ?? {}).length > 0 && { metadata }),
        }
      : { metadata: shownMetadata(metadata), ...(data && { data }), ...(spec && { spec }) }),
    ...(warnings.length > 0 && { warnings }),
    ...(retryAfter !== undefined && { retryAfter }),
  };
}

/** A server may list problems several times, in any order. */
function once(message: string, details: any): object {
  if (!details?.causes) return { message, details };
  const causes: string[] = details.causes.map((cause: unknown) => JSON.stringify(cause));
  return {
    message: message.replace(/ is invalid: \[.*\]$/s, ' is invalid: …'),
    details: { ...details, causes: [...new Set(causes)].toSorted() },
  };
}

function shownMetadata({ uid: _uid, creationTimestamp: _time, managedFields = [], ...rest }: any): object {
  const managers = managedFields.map(({ time: _when, ...entry }: any) => JSON.stringify(inOrder(entry)));
  return { ...rest, ...(rest.resourceVersion && { resourceVersion: '<revision>' }), managers };
}

function withoutAddresses(body: unknown): any {
  const text = JSON.stringify(masked(body))
    .replaceAll(/(127\.0\.0\.1|localhost|\[::1\]):\d+/g, '$1:<port>')
    .replaceAll(/"g-[a-z0-9]{5}"/g, '"g-<random>"');
  return JSON.parse(text);
}
