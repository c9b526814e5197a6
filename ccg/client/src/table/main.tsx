// Entry of the table page; replaced by the table itself.
export {};
