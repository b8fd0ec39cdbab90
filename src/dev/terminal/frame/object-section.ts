import { humanDuration } from 'ots-apimachinery/human-duration';
import type { ConditionState, ObjectState } from '../../model/dev-state.ts';
import {
  columnsBeside,
  describeCondition,
  healthOf,
  healthStyles,
  isOfProject,
  nameOf,
} from '../describe.ts';
import { fitLine, joinParts, padLine, widthOfLine, wrapText } from '../fit-line.ts';
import { type Line, span } from '../line.ts';
import { type ObjectNode, countObjects, objectTree } from './object-tree.ts';
import type { Section } from './section.ts';

/** How much of a tree is drawn. */
interface Detail {
  /** Whether objects that are gone are there. */
  readonly withGone: boolean;
  /** How many rows the conditions of an object of the project may take below it. */
  readonly conditionRows: number;
  readonly maxDepth: number;
}

interface Row {
  readonly object: ObjectState;
  /** Lines of the tree before the kind. */
  readonly branch: string;
  /** Without the namespace of the owner. */
  readonly name: string;
  /** Blanks and lines of the tree before what follows the row. */
  readonly indent: string;
  /** How many objects below it are not drawn. */
  readonly hidden: number;
}

/** What kubectl prints as the status of a pod that does not work. */
const badStatus = /BackOff|Err|Fail|Invalid|Evicted|OOM|Unknown/;
const ageWidth = 6;
const maxConditionRows = 3;
/** More would fill the scrollback of a terminal. */
const maxRows = 200;

/** From everything to the objects without owners alone. */
const details: readonly [Detail, ...Detail[]] = [
  { withGone: true, conditionRows: maxConditionRows, maxDepth: Infinity },
  { withGone: false, conditionRows: 1, maxDepth: Infinity },
  ...[Infinity, 2, 1, 0].map((maxDepth) => ({ withGone: false, conditionRows: 0, maxDepth })),
];

/**
 * The objects as a tree of owners. The fewer rows there are, the less it shows of what is gone, of conditions and of objects that
 * others own.
 *
 * @param now the cluster's time
 */
export function objectSection(
  objects: Readonly<Record<string, ObjectState>>,
  columns: number,
  now: Date,
): Section {
  const nodes = objectTree(objects);
  const count = Object.keys(objects).length;
  const draw = (rows: readonly Row[], conditionRows: number): Line[] => {
    const titleWidth = Math.min(
      Math.max(...rows.map((row) => widthOfLine(titleOf(row))), 0) + 2,
      Math.floor(columns * 0.55),
    );
    return rows.flatMap((row) => {
      const below = conditionLines(row, columns).slice(0, conditionRows);
      return [drawRow(row, stateOf(row, below.length === 0), { titleWidth, columns, now }), ...below];
    });
  };
  const drawIfFits = (detail: Detail, max: number): Line[] | undefined => {
    const rows = rowsOf(nodes, detail);
    const lines = rows.length > max ? undefined : draw(rows, detail.conditionRows);
    return lines && lines.length <= max ? lines : undefined;
  };
  const drawFirst = (max: number): readonly Line[] => {
    const rows = rowsOf(nodes, details.at(-1)!);
    const first = [...rows.filter(needsAttention), ...rows.filter((row) => !needsAttention(row))];
    return draw(first.slice(0, max - 1), 0);
  };
  const empty: Line = [span('none yet: create one with kubectl, or press a to apply the samples', 'dim')];
  return {
    title: [span('OBJECTS', 'bold'), span(count === 0 ? '' : `  ${count}`, 'dim')],
    wanted: count === 0 ? 1 : (drawIfFits(details[0], maxRows)?.length ?? maxRows),
    least: 3,
    draw: (max) => {
      if (count === 0) return [fitLine(empty, columns)];
      for (const detail of details) {
        const lines = drawIfFits(detail, max);
        if (lines) return lines;
      }
      const first = drawFirst(max);
      return [...first, [span(`… ${count - first.length} more objects`, 'dim')]];
    },
  };
}

function needsAttention({ object }: Row): boolean {
  return (
    object.deletedAt !== undefined || object.conditions.some((condition) => healthOf(condition) === 'bad')
  );
}

function rowsOf(nodes: readonly ObjectNode[], detail: Detail, depth = 0, indent = '', namespace = ''): Row[] {
  const shown = nodes.filter(({ object }) => detail.withGone || !object.isGone);
  return shown.flatMap(({ object, children }, index): Row[] => {
    const isLast = index === shown.length - 1;
    const below = depth === 0 ? '' : `${indent}${isLast ? '  ' : '│ '}`;
    const isCut = depth >= detail.maxDepth;
    return [
      {
        object,
        branch: depth === 0 ? '' : `${indent}${isLast ? '└ ' : '├ '}`,
        name: object.namespace === namespace ? object.name : nameOf(object),
        indent: `${below}${children.length > 0 && !isCut ? '│ ' : '  '}`,
        hidden: isCut ? countObjects(children) : 0,
      },
      ...(isCut ? [] : rowsOf(children, detail, depth + 1, below, object.namespace)),
    ];
  });
}

function titleOf({ object: { kind, isGone, owners }, branch, name }: Row): Line {
  const style = isGone ? 'dim' : undefined;
  return [
    span(branch, 'dim'),
    span(`${kind} `, style ?? 'cyan'),
    span(name, style ?? (owners.length === 0 ? 'bold' : undefined)),
  ];
}

function drawRow(
  row: Row,
  state: readonly Line[],
  { titleWidth, columns, now }: { readonly titleWidth: number; readonly columns: number; readonly now: Date },
): Line {
  const left = columns - titleWidth;
  const age = humanDuration(now.getTime() - Date.parse(row.object.createdAt)).padStart(ageWidth);
  const hasAge = left > 3 * ageWidth;
  const line = [...padLine(titleOf(row), titleWidth - 1), span(' ')];
  const detailsWidth = Math.max(1, hasAge ? left - ageWidth : left);
  return [
    ...line,
    ...padLine(joinParts(state, detailsWidth), detailsWidth),
    ...(hasAge ? [span(age, 'dim')] : []),
  ];
}

/**
 * Most important first.
 *
 * @param withReasons whether conditions that have a reason are there
 */
function stateOf({ object, hidden }: Row, withReasons: boolean): Line[] {
  const { conditions, deletedAt, finalizers, isGone } = object;
  if (isGone) return [[span('gone', 'dim')]];
  const waits = finalizers.length === 0 ? '' : `, waits for ${finalizers.join(', ')}`;
  const isOurs = isOfProject(object);
  return [
    ...(deletedAt === undefined ? [] : [[span(`deleting${waits}`, 'yellow')]]),
    ...columnsBeside(object)
      .toSorted((a, b) => Number(b.name === 'Status') - Number(a.name === 'Status'))
      .map(({ name, value }): Line => [
        span(`${name} `, 'dim'),
        span(value, name === 'Status' && badStatus.test(value) ? 'red' : undefined),
      ]),
    ...conditions
      .filter((condition) => (isOurs ? withReasons || !hasReason(condition) : healthOf(condition) === 'bad'))
      .map((condition): Line => [
        span(`${condition.type}=${condition.status}`, healthStyles[healthOf(condition)]),
      ]),
    ...(hidden > 0 ? [[span(`+${hidden} ${hidden === 1 ? 'object' : 'objects'}`, 'dim')] as Line] : []),
  ];
}

function hasReason(condition: ConditionState): boolean {
  return healthOf(condition) !== 'good' && describeCondition(condition).includes(' ');
}

/** Conditions of the project's objects that are not good news, with the reason. */
function conditionLines({ object, indent }: Row, columns: number): Line[] {
  if (!isOfProject(object) || object.isGone) return [];
  return object.conditions
    .filter((condition) => hasReason(condition))
    .flatMap((condition) =>
      wrapText(describeCondition(condition), {
        columns: columns - indent.length,
        style: healthStyles[healthOf(condition)],
        maxLines: maxConditionRows,
      }),
    )
    .map((line) => [span(indent, 'dim'), ...line]);
}
