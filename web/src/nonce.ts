/** What the answer's policy asks of style sheets that are written while the page runs. */
export const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''

// The part of Mantine that keeps the page from scrolling behind a dialog looks for it here.
;(globalThis as { __webpack_nonce__?: string }).__webpack_nonce__ = nonce
