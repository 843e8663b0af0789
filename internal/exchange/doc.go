// Package exchange reads and writes the files in which people carry objectives from one program to another: what encoding and separator a file has, what its
// columns mean, what a cell says, and what all of it comes to. It is pure: who may do what, and what is there already, is the business of its callers.
package exchange
