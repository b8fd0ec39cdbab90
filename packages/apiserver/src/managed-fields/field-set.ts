import { formatDouble } from 'ots-apimachinery/go/format-double';
import type { ExactInteger } from '../json/exact-integer.ts';
import { type PathElement, displayElement, sortElements } from './path-element.ts';

/**
 * A set of paths, stored as a tree. A node can end a path and continue others: `.spec.list` and `.spec.list[0]`
 * are two members. A set does not change after it is built.
 */
export class FieldSet {
  readonly members: Set<PathElement>;
  readonly children: Map<PathElement, FieldSet>;

  constructor(members: Set<PathElement> = new Set(), children: Map<PathElement, FieldSet> = new Map()) {
    this.members = members;
    this.children = children;
  }

  static of(...paths: readonly PathElement[][]): FieldSet {
    const set = new FieldSet();
    for (const path of paths) set.insert(path);
    return set;
  }

  /** Adds a path. The empty path adds nothing. */
  insert(path: readonly PathElement[]): void {
    this.#insertFrom(path, 0);
  }

  get isEmpty(): boolean {
    if (this.members.size > 0) return false;
    for (const child of this.children.values()) if (!child.isEmpty) return false;
    return true;
  }

  has(path: readonly PathElement[]): boolean {
    const [element, ...rest] = path;
    if (element === undefined) return false;
    return rest.length === 0 ? this.members.has(element) : (this.children.get(element)?.has(rest) ?? false);
  }

  equals(other: FieldSet): boolean {
    if (this === other) return true;
    if (this.members.size !== other.members.size || this.children.size !== other.children.size) return false;
    for (const member of this.members) if (!other.members.has(member)) return false;
    for (const [element, child] of this.children) {
      const same = other.children.get(element);
      if (!same || !child.equals(same)) return false;
    }
    return true;
  }

  /** The paths of both sets. This set itself if it has all of them: then its encoding is known. */
  union(other: FieldSet): FieldSet {
    if (other.isEmpty || this === other) return this;
    if (this.isEmpty) return other;
    const children = this.#childrenWith(other.children);
    const hasAll = [...other.members].every((member) => this.members.has(member));
    if (hasAll && children === this.children) return this;
    return new FieldSet(hasAll ? this.members : new Set([...this.members, ...other.members]), children);
  }

  #childrenWith(others: ReadonlyMap<PathElement, FieldSet>): Map<PathElement, FieldSet> {
    let children = this.children;
    for (const [element, child] of others) {
      const own = children.get(element);
      const both = own ? own.union(child) : child;
      if (both === own) continue;
      if (children === this.children) children = new Map(children);
      children.set(element, both);
    }
    return children;
  }

  intersection(other: FieldSet): FieldSet {
    const set = new FieldSet();
    for (const member of this.members) if (other.members.has(member)) set.members.add(member);
    for (const [element, child] of this.children) {
      const same = other.children.get(element);
      const shared = same && child.intersection(same);
      if (shared && !shared.isEmpty) set.children.set(element, shared);
    }
    return set;
  }

  /** The paths that are not in another set. A member of the other set does not remove the paths below it. */
  difference(other: FieldSet): FieldSet {
    return this.#without(other, false);
  }

  /** The paths that are neither in another set nor below one of its members. */
  recursiveDifference(other: FieldSet): FieldSet {
    return this.#without(other, true);
  }

  /** Every path, in the order of FieldsV1. */
  *paths(prefix: readonly PathElement[] = []): Generator<PathElement[]> {
    for (const member of sortElements(this.members)) yield [...prefix, member];
    for (const element of sortElements(this.children.keys())) {
      const child = this.children.get(element);
      if (child) yield* child.paths([...prefix, element]);
    }
  }

  #insertFrom(path: readonly PathElement[], index: number): void {
    const element = path[index];
    if (element === undefined) return;
    if (index === path.length - 1) {
      this.members.add(element);
      return;
    }
    let child = this.children.get(element);
    if (!child) this.children.set(element, (child = new FieldSet()));
    child.#insertFrom(path, index + 1);
  }

  #without(other: FieldSet, recursive: boolean): FieldSet {
    if (other.members.size === 0 && other.children.size === 0) return this;
    const set = new FieldSet();
    for (const member of this.members) if (!other.members.has(member)) set.members.add(member);
    for (const [element, child] of this.children) {
      if (recursive && other.members.has(element)) continue;
      const same = other.children.get(element);
      const rest = same ? child.#without(same, recursive) : child;
      if (!same || !rest.isEmpty) set.children.set(element, rest);
    }
    return set;
  }
}

/** Numbers in managed fields are floats in Go. */
function showFloat(value: ExactInteger): string {
  return formatDouble(Number(value));
}

/** A path as messages show it: `.spec.containers[name="web"].image`. */
export function displayPath(path: readonly PathElement[]): string {
  return path.map((element) => displayElement(element, showFloat)).join('');
}
