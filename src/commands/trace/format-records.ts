import { type ReconcileRecord, reasonText } from 'ots-runtime/debugging';
import { oneLine } from '../../output/one-line.ts';

const indent = '          ';
/** Of each record. */
const maxReasons = 3;

/**
 * Records for people: of each, when it ran, which controller and object, how long it took, what it wrote and how it ended;
 * and below that, why.
 *
 * @param newestFirst as the operator sends them; the text has the newest last
 * @param width of the terminal, in characters
 */
export function formatRecords(newestFirst: readonly ReconcileRecord[], width: number): string {
  let date = '';
  let lines = '';
  for (const record of newestFirst.toReversed()) {
    const [day = '', time = ''] = record.startedAt.split('T');
    if (day !== date) lines += `${day} (UTC)\n`;
    date = day;
    for (const line of linesOf(record, time.slice(0, 8), width)) lines += `${oneLine(line)}\n`;
  }
  return lines;
}

function linesOf(record: ReconcileRecord, time: string, width: number): string[] {
  const { controller, request, reasons } = record;
  const object = objectText(request);
  const right = [secondsText(record.durationSeconds), writesText(record), resultText(record)].join('  ');
  const room = width - right.length - 2;
  const shown = reasons.slice(0, reasons.length > maxReasons ? maxReasons - 1 : maxReasons);
  const omitted = reasons.length - shown.length;
  return [
    `${cut(`${time}  ${controller}  ${object}`, room).padEnd(room)}  ${right}`,
    ...shown.map((reason) => cut(`${indent}${reasonText(reason)}`, width)),
    ...(omitted > 0 ? [`${indent}and ${omitted} more`] : []),
    ...problemOf(record).map((problem) => cut(`${indent}${problem}`, width)),
  ];
}

function objectText({ namespace, name, cluster }: ReconcileRecord['request']): string {
  const object = namespace === undefined ? name : `${namespace}/${name}`;
  return cluster === undefined ? object : `${object} of ${cluster}`;
}

function writesText({ writes, requests }: ReconcileRecord): string {
  const conflicts = requests.filter(({ conflict }) => conflict).length;
  const text = writes === 1 ? '1 write' : `${writes === 0 ? 'no' : writes} writes`;
  return conflicts > 0 ? `${text}, ${conflicts} in conflict` : text;
}

function resultText({ result }: ReconcileRecord): string {
  if (result.type === 'requeueAfter') return `again in ${secondsText(result.seconds)}`;
  return result.type === 'error' ? result.kind : result.type;
}

function problemOf({ result }: ReconcileRecord): string[] {
  if (result.type !== 'error') return [];
  const { attempt, backoffSeconds, message } = result;
  const next = backoffSeconds === undefined ? 'not retried' : `again in ${secondsText(backoffSeconds)}`;
  return [`attempt ${attempt}, ${next}: ${message}`];
}

function secondsText(seconds: number): string {
  if (seconds >= 120) return `${Math.round(seconds / 60)} min`;
  return seconds < 1 ? `${Math.round(seconds * 1000)} ms` : `${Number(seconds.toFixed(1))} s`;
}

function cut(text: string, width: number): string {
  return text.length > width ? `${text.slice(0, width - 1)}…` : text;
}
