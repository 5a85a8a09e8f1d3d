// Where the focus goes when what had it is gone.

/** To the beginning of the page's own content, without a jump. */
export function focusContent(): void {
  document.getElementById('content')?.focus({ preventScroll: true })
}
