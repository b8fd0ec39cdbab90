const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Emoji, and characters that Unicode calls wide or fullwidth (https://www.unicode.org/reports/tr11/). */
const wide =
  /\p{Emoji_Presentation}|\uFE0F|(?![\uFF61-\uFFDC])[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Bopomofo}\p{sc=Yi}\p{sc=Tangut}]|[\u3000-\u303E\uFF01-\uFF60\uFFE0-\uFFE6]/u;
const invisible = /^[\p{M}\p{Cf}\u115F\u1160\u3164]+$/u;
/** Texts whose characters fill one column each: letters of Latin, punctuation, arrows, lines of trees. */
const simple = /^[ -~\u00A0-\u02FF\u2010-\u2027\u2190-\u21FF\u2500-\u257F]*$/;

/** How many columns of a terminal a text without control characters fills. */
export function widthOf(text: string): number {
  if (simple.test(text)) return text.length;
  let width = 0;
  for (const { segment } of segmenter.segment(text)) width += widthOfCluster(segment);
  return width;
}

/** As much of the start of a text as fits into some columns; never a part of a character. */
export function cutText(text: string, columns: number): string {
  if (simple.test(text)) return text.slice(0, Math.max(0, columns));
  let width = 0;
  for (const { segment, index } of segmenter.segment(text)) {
    width += widthOfCluster(segment);
    if (width > columns) return text.slice(0, index);
  }
  return text;
}

function widthOfCluster(cluster: string): number {
  if (wide.test(cluster)) return 2;
  return invisible.test(cluster) ? 0 : 1;
}
