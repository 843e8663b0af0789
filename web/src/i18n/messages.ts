import type { en } from './en'

/** What every other language has to have of English messages. Japanese has no singular, so a message that counts has one form in it. */
export type Complete<T> = { readonly [K in keyof T as K extends `${string}_one` ? never : K]: T[K] extends string ? string : Complete<T[K]> }

/** The messages that every page has. */
export type Messages = Complete<typeof en>
