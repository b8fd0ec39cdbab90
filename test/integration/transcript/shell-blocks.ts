/**
 * The commands of a page of documentation: its fenced `sh` blocks below one heading, in order.
 *
 * @param markdown the page
 * @param heading the text of a heading of level 2, without the `##`
 * @returns the blocks, without their fences
 * @throws {Error} when the page has no such heading
 */
export function shellBlocks(markdown: string, heading: string): string[] {
  const section = markdown.split(/^## /m).find((text) => text.startsWith(`${heading}\n`));
  if (section === undefined) throw new Error(`The page has no section "${heading}"`);
  return Array.from(section.matchAll(/^```sh\n(.*?)^```$/gms), ([, block]) => block!.trimEnd());
}
