// Waits for the end of a click: a message that appears between press and release moves what is pressed
// away from under the pointer, and the browser makes no click of it.
let isPressed = false
for (const name of ['pointerdown', 'pointerup', 'pointercancel']) {
  addEventListener(name, () => (isPressed = name === 'pointerdown'), true)
}

/** Runs `work` at once, or after the click that the pressed pointer makes when it is released. */
export function afterClick(work: () => void): void {
  if (isPressed) addEventListener('pointerup', () => setTimeout(work), { once: true })
  else work()
}
