/** What to know of every number of the report of the paper. */

export const PAPER_DIFFERS = "For some methods its Table 1 prints other totals.";
export const PAPER_MEANS = "Correct and runs (the paper says compiled) are as the tests of the paper judge, counted from its Tables 3 and 4.";
