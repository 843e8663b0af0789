import type { en } from './en'

// Japanese has no singular, so a message that counts has one form in it.
type Complete<T> = { readonly [K in keyof T as K extends `${string}_one` ? never : K]: T[K] extends string ? string : Complete<T[K]> }

/** What every language has to have. */
export type Messages = Complete<typeof en>
