import type { Hold, Moment, Plan, WriteMoment } from './plan.ts';

/** What a plan does, in words, such as `ends after write 2 (patch secrets)`. */
export function describePlan({
  crashAfter,
  holds = [],
  failover,
  restart,
  soon = [],
  edits = [],
}: Plan): string {
  const parts = [
    ...(crashAfter ? [`ends after ${describeWriteMoment(crashAfter)}`] : []),
    ...holds.map(describeHold),
    ...(failover ? [`the standby takes over ${describeMoment(failover)}`] : []),
    ...(restart
      ? [`starts again ${describeMoment(restart.at)}, with lists from ${describeMoment(restart.staleSince)}`]
      : []),
    ...soon.map((title) => `${title} at once`),
    ...edits.map(({ title }) => title),
  ];
  return parts.join('; ');
}

function describeHold({ resource, from, until, skips = false, of = 'leader' }: Hold): string {
  const end = until ? `until ${describeMoment(until)}` : 'until the end';
  const who = of === 'standby' ? 'the standby' : 'the operator';
  return `${who} ${skips ? 'never sees' : 'does not see'} ${resource} from ${describeMoment(from)} ${end}`;
}

function describeMoment(moment: Moment): string {
  if ('before' in moment) return `before it ${moment.before}`;
  if ('after' in moment) return `after it ${moment.after}`;
  return `before ${describeWriteMoment(moment.beforeWrite)}`;
}

function describeWriteMoment({ verb, resource, name, occurrence = 1 }: WriteMoment): string {
  return `write ${occurrence} of \`${verb} ${resource}${name === undefined ? '' : ` ${name}`}\``;
}
