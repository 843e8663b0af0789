// Package meeting is what meetings are by themselves, without a database: when they take place, which answers a survey takes and who may read them, and how a
// calendar program is told of them. Its functions are pure.
package meeting
