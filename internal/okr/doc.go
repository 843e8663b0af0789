// Package okr holds the arithmetic and the rules of objectives and key results: progress, roll-ups, health, scores,
// states, check-ins and carry-over. Every function is pure: it reads no clock, no database and no package state that
// changes, so the same arguments always give the same answer.
//
// Three numbers describe a key result or an objective, and none ever overwrites another. Progress is measured.
// Confidence (0 to 10) is a forecast its owner states at each check-in. Score (0.0 to 1.0) is judged at close.
//
// # Numbers
//
// Every number is a decimal; there are no floats. Progress is a fraction: 1 is the target, and a raw progress may lie
// above 1 or below 0. Quotients are kept to [Scale] digits and rounded down, so a value is at least 0 or at least 1
// after the division exactly when it was before it. Thresholds are inclusive, and whatever compares a quotient with one
// (a percentage, a health, a suggested score) first rounds it to fewer digits, which gives back what rounding down took
// off: two key results at one third and one sixth of their way stand at exactly one quarter.
//
// Numbers from outside go through the Validate methods first, which bound their digits. The arithmetic takes them as
// they are.
//
// # Days
//
// A date is a [time.Time] of which only the calendar date counts, as written in its own location; dates returned are
// midnight UTC, the form pgx gives to a date column. [Today] is the one place where an instant becomes a date, in the
// organisation's time zone.
package okr
