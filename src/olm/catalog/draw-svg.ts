import type { ChannelGraph, GraphEdge, GraphNode } from './channel-graph.ts';

/** In pixels. */
const rowHeight = 56;
const boxHeight = 36;
const padding = 24;
const titleHeight = 36;
const laneWidth = 14;
const characterWidth = 7.9;
const minBoxWidth = 160;

const style = `
  .text { font: 13px ui-monospace, Menlo, Consolas, monospace; fill: #1f2328; }
  .title { font: 600 15px system-ui, sans-serif; fill: #1f2328; }
  .note { font: 11px system-ui, sans-serif; fill: #59636e; }
  .box { fill: #f6f8fa; stroke: #59636e; }
  .head { fill: #dafbe1; stroke: #1a7f37; stroke-width: 2; }
  .absent { fill: none; stroke-dasharray: 4 3; }
  .replaces { fill: none; stroke: #0969da; stroke-width: 2; }
  .skips { fill: none; stroke: #9a6700; stroke-dasharray: 5 4; }
  .tip-replaces { fill: #0969da; }
  .tip-skips { fill: #9a6700; }
  .deprecated { text-decoration: line-through; }
  @media (prefers-color-scheme: dark) {
    .page { fill: #0d1117; }
    .text, .title { fill: #e6edf3; }
    .note { fill: #9198a1; }
    .box { fill: #151b23; stroke: #9198a1; }
    .head { fill: #12261e; stroke: #3fb950; }
    .absent { fill: none; }
    .replaces { stroke: #4493f8; }
    .skips { stroke: #d29922; }
    .tip-replaces { fill: #4493f8; }
    .tip-skips { fill: #d29922; }
  }`;

/** A drawing, and the room that it needs. */
interface Drawing {
  readonly width: number;
  readonly height: number;
  readonly content: string;
}

/**
 * Draws upgrade graphs below each other as one SVG document, which needs no other file. Arrows lead from the old bundle to the new one:
 * solid for `replaces`, dashed for `skips`. The colors follow the setting of the reader.
 */
export function drawSvg(graphs: readonly ChannelGraph[]): string {
  const drawings: string[] = [];
  let top = padding;
  let width = 320;
  for (const graph of graphs) {
    const drawing = drawGraph(graph);
    drawings.push(`<g transform="translate(${padding} ${top})">${drawing.content}\n</g>`);
    top += drawing.height + padding;
    width = Math.max(width, drawing.width + 2 * padding);
  }
  const title = graphs.map(({ package: name, channel }) => `${name} ${channel}`).join(', ');
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${top}" viewBox="0 0 ${width} ${top}" role="img">
<title>${escaped(`Upgrade graph: ${title}`)}</title>
<style>${style}
</style>
<defs>${tip('replaces')}${tip('skips')}
</defs>
<rect class="page" width="100%" height="100%" fill="#ffffff"/>
${drawings.join('\n')}
</svg>
`;
}

function tip(kind: GraphEdge['kind']): string {
  return `
<marker id="${kind}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" markerUnits="userSpaceOnUse" orient="auto"><path class="tip-${kind}" d="M0 0 8 4 0 8z"/></marker>`;
}

function drawGraph(graph: ChannelGraph): Drawing {
  const { nodes, edges } = graph;
  const rows = new Map(nodes.map(({ name }, row) => [name, row]));
  const longest = Math.max(0, ...nodes.map(({ name }) => name.length));
  const boxWidth = Math.round(Math.max(minBoxWidth, longest * characterWidth + 24));
  const lines = edges.filter(({ from, to }) => from !== to);
  const straight = lines.filter((edge) => isStraight(edge, rows));
  const curved = lines.filter((edge) => !isStraight(edge, rows));
  const lanes = lanesOf(curved, rows);
  const laneCount = Math.max(0, ...lanes.values());
  const noteX = boxWidth + (laneCount + 1) * laneWidth + 12;
  const notes = nodes.map(noteOf);
  const noteWidth = Math.max(0, ...notes.map((note) => note.length)) * 6;
  const content = [
    `<text class="title" x="0" y="16">${escaped(titleOf(graph))}</text>`,
    ...straight.map((edge) => drawStraight(edge, rows, boxWidth)),
    ...curved.map((edge) => drawCurved(edge, rows, boxWidth, lanes.get(edge) ?? 1)),
    ...nodes.map((node, row) => drawNode(node, row, boxWidth)),
    ...notes.map((note, row) =>
      note === '' ? '' : `<text class="note" x="${noteX}" y="${middleOf(row) + 4}">${escaped(note)}</text>`,
    ),
  ];
  return {
    width: Math.round(Math.max(noteX + noteWidth, titleOf(graph).length * 9)),
    height: titleHeight + Math.max(1, nodes.length) * rowHeight,
    content: content
      .filter((line) => line !== '')
      .map((line) => `\n${line}`)
      .join(''),
  };
}

function titleOf({ package: name, channel, isDefault, deprecation }: ChannelGraph): string {
  const about = [
    ...(isDefault ? ['default channel'] : []),
    ...(deprecation === undefined ? [] : ['deprecated']),
  ];
  return `${name}, channel ${channel}${about.length > 0 ? ` (${about.join(', ')})` : ''}`;
}

function noteOf({ role, skipRange, deprecation }: GraphNode): string {
  return [
    ...(role === 'head' ? ['head'] : []),
    ...(role === 'absent' ? ['not in the channel'] : []),
    ...(skipRange === '' ? [] : [`skipRange ${skipRange}`]),
    ...(deprecation === undefined ? [] : [`deprecated: ${deprecation}`]),
  ].join('; ');
}

/** From the row below, without a bundle in between. */
function isStraight({ from, to, kind }: GraphEdge, rows: ReadonlyMap<string, number>): boolean {
  return kind === 'replaces' && rows.get(from) === rows.get(to)! + 1;
}

/** Edges side by side: each takes the first lane that is free for all of its rows. */
function lanesOf(edges: readonly GraphEdge[], rows: ReadonlyMap<string, number>): Map<GraphEdge, number> {
  const ends = new Map<GraphEdge, readonly [number, number]>(
    edges.map((edge) => {
      const [from, to] = [rows.get(edge.from)!, rows.get(edge.to)!];
      return [edge, [Math.min(from, to), Math.max(from, to)]];
    }),
  );
  const free: number[] = [];
  const lanes = new Map<GraphEdge, number>();
  for (const [edge, [start, end]] of [...ends].toSorted((left, right) => left[1][0] - right[1][0])) {
    const found = free.findIndex((row) => row <= start);
    const lane = found === -1 ? free.length : found;
    free[lane] = end;
    lanes.set(edge, lane + 1);
  }
  return lanes;
}

function middleOf(row: number): number {
  return titleHeight + row * rowHeight + boxHeight / 2;
}

function drawStraight(
  { from, to, kind }: GraphEdge,
  rows: ReadonlyMap<string, number>,
  boxWidth: number,
): string {
  const x = boxWidth / 2;
  const start = middleOf(rows.get(from)!) - boxHeight / 2;
  const end = middleOf(rows.get(to)!) + boxHeight / 2;
  return `<path class="${kind}" marker-end="url(#${kind})" d="M${x} ${start}V${end + 1}"/>`;
}

/** Along the right side. Edges leave a box above its middle or below it, toward the other end, and enter it on the other half. */
function drawCurved(
  { from, to, kind }: GraphEdge,
  rows: ReadonlyMap<string, number>,
  boxWidth: number,
  lane: number,
): string {
  const isUp = rows.get(from)! > rows.get(to)!;
  const start = middleOf(rows.get(from)!) + (isUp ? -8 : 8);
  const end = middleOf(rows.get(to)!) + (isUp ? 8 : -8);
  const x = boxWidth + lane * laneWidth;
  return `<path class="${kind}" marker-end="url(#${kind})" d="M${boxWidth} ${start}H${x}V${end}H${boxWidth + 1}"/>`;
}

function drawNode({ name, role, deprecation }: GraphNode, row: number, boxWidth: number): string {
  const y = titleHeight + row * rowHeight;
  const box = role === 'head' || role === 'absent' ? `box ${role}` : 'box';
  const text = deprecation === undefined ? 'text' : 'text deprecated';
  return `<rect class="${box}" x="0" y="${y}" width="${boxWidth}" height="${boxHeight}" rx="6"/><text class="${text}" x="12" y="${middleOf(row) + 4}">${escaped(name)}</text>`;
}

/** XML has no control characters, not even escaped. */
function escaped(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\p{Cs}\uFFFE\uFFFF\p{Bidi_Control}]/gu, ' ')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
