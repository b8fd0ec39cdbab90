/**
 * Computes the anchors that GitHub assigns to headings.
 * @returns a function to call once for each heading, in the order of the page
 */
export function anchors(): (heading: string) => string {
  const used = new Set<string>();
  return (heading) => {
    const base = heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
      .replaceAll(' ', '-');
    let anchor = base;
    for (let count = 1; used.has(anchor); count++) anchor = `${base}-${count}`;
    used.add(anchor);
    return anchor;
  };
}
