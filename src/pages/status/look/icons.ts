// The icons of status pages: one for each tone, told apart by their shapes too.

/** A shape with a glyph cut out of it, as the image of a mask. */
function icon(shape: string, glyph: string): string {
  const svg =
    `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'><mask id='m'>` +
    `<path fill='#fff' d='M0 0h16v16H0z'/><path fill='none' stroke='#000' stroke-width='1.75' ` +
    `stroke-linecap='round' stroke-linejoin='round' d='${glyph}'/></mask>` +
    `<path mask='url(#m)' d='${shape}'/></svg>`
  return `url("data:image/svg+xml,${svg.replaceAll('#', '%23').replaceAll('<', '%3C').replaceAll('>', '%3E')}")`
}

const disc = 'M8 0a8 8 0 1 1 0 16A8 8 0 1 1 8 0z'

/** The icons of the tones, told apart by their shapes too. */
export const icons = {
  'up-icon': icon(disc, 'M4.5 8.2l2.4 2.4 4.6-5'),
  'slow-icon': icon('M8 .6 15.8 15H.2z', 'M8 6v4M8 12.6v.1'),
  'down-icon': icon(
    'M4.7 0h6.6L16 4.7v6.6L11.3 16H4.7L0 11.3V4.7z',
    'M5.3 5.3l5.4 5.4M10.7 5.3l-5.4 5.4',
  ),
  'calm-icon': icon(disc, 'M8 3.8V8l2.8 1.8'),
  'none-icon': icon(disc, 'M4.7 8h6.6'),
  'paused-icon': icon(disc, 'M6.2 5v6M9.8 5v6'),
  'pending-icon': icon(disc, 'M4.7 8v.1M8 8v.1M11.3 8v.1'),
}
