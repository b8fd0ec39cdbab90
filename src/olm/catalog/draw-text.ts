import { oneLine } from '../../output/one-line.ts';
import type { ChannelGraph, GraphNode } from './channel-graph.ts';

const marks = { head: '◉', chain: '●', entry: '○', absent: '◌' } as const;
const margin = 2;

/**
 * Draws an upgrade graph as text: the bundles from new to old, below each what it upgrades.
 *
 * @param width in columns; longer names stay whole
 */
export function drawText(graph: ChannelGraph, width: number): string {
  const { nodes } = graph;
  const lines = [titleOf(graph), ''];
  for (const [index, node] of nodes.entries()) {
    const isLinked = isInChain(node) && nodes[index + 1]?.role === 'chain';
    const bar = isLinked ? '│' : ' ';
    const [first = '', ...rest] = wrapped(headlineOf(node), width - margin - 2);
    lines.push(indented(`${marks[node.role]} ${first}`));
    const details = [...rest, ...detailsOf(node, graph).flatMap((text) => wrapped(text, width - margin - 4))];
    for (const text of details) lines.push(indented(`${bar}   ${text}`));
    if (isLinked && details.length === 0) lines.push(indented(bar));
  }
  if (nodes.length === 0) lines.push(indented('no entries'));
  return lines.map((line) => `${line.trimEnd()}\n`).join('');
}

function titleOf({ package: name, channel, isDefault, deprecation }: ChannelGraph): string {
  const about = [...(isDefault ? ['default'] : []), ...(deprecation === undefined ? [] : ['deprecated'])];
  return oneLine(`${name}, channel ${channel}${about.length > 0 ? ` (${about.join(', ')})` : ''}`);
}

function headlineOf({ name, role, skippedBy, deprecation }: GraphNode): string {
  const notes = [
    ...(role === 'head' ? ['head'] : []),
    ...(role === 'absent' ? ['not in the channel'] : []),
    ...(skippedBy.length > 0 ? [`skipped by ${skippedBy.join(', ')}`] : []),
    ...(deprecation === '' ? ['deprecated'] : []),
  ];
  return notes.length === 0 ? name : `${name}  ${notes.join('; ')}`;
}

/** The line of a chain says what a bundle replaces, unless something else follows. */
function detailsOf(
  { name, role, skipRange, deprecation }: GraphNode,
  { nodes, edges }: ChannelGraph,
): string[] {
  const into = edges.filter(({ to }) => to === name);
  const next = nodes[nodes.findIndex((node) => node.name === name) + 1];
  const isDrawn = (from: string) => role !== 'entry' && next?.role === 'chain' && next.name === from;
  const replaced = into.filter(({ kind, from }) => kind === 'replaces' && !isDrawn(from));
  const skipped = into.filter(({ kind }) => kind === 'skips');
  return [
    ...(replaced.length > 0 ? [`replaces ${replaced.map(({ from }) => from).join(', ')}`] : []),
    ...(skipped.length > 0 ? [`skips ${skipped.map(({ from }) => from).join(', ')}`] : []),
    ...(skipRange === '' ? [] : [`skipRange ${skipRange}`]),
    ...(deprecation === undefined || deprecation === '' ? [] : [`deprecated: ${deprecation}`]),
  ];
}

function isInChain({ role }: GraphNode): boolean {
  return role === 'head' || role === 'chain';
}

function indented(text: string): string {
  return `${' '.repeat(margin)}${text}`;
}

function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of oneLine(text).split(' ')) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}
