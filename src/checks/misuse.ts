/** What a user has asked for in a way that cannot be done: what is wrong, and what to do. */
export class Misuse extends Error {}
