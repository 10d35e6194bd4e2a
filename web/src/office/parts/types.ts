/** What the parts of the pages are given. */

/** A column of a table. */
export interface Column<Row> {
  readonly name: string;
  readonly label: string;
  /** What stands in a cell. */
  readonly text: (row: Row) => string;
  /** Where a cell leads. */
  readonly href?: (row: Row) => string | null;
  /** Figures stand at the right. */
  readonly number?: boolean;
  /** Whether the house can sort by it. */
  readonly sorts?: boolean;
  /** A mark: colours the cell. */
  readonly mark?: (row: Row) => "up" | "down" | "";
  /** Codes stand in letters of one width. */
  readonly code?: boolean;
  /** Stands on one line: moments. */
  readonly whole?: boolean;
}

/** What a text in a filter must be; another is not asked for. */
export type Written = "number" | "amount" | "code" | "round" | "table" | "name";

/** A field that narrows a list down. */
export interface Filter {
  /** What it is called in the address. */
  readonly name: string;
  readonly label: string;
  /** What can be chosen; without it, text is written. The empty value takes all. */
  readonly options?: readonly { readonly value: string; readonly text: string }[];
  readonly kind?: "date" | "moment" | Written;
}

/** A line of a chart: a value for each point, null where there is none. */
export interface Series {
  readonly name: string;
  readonly values: readonly (number | null)[];
  readonly colour: string;
  /** Drawn as columns instead of a line. */
  readonly bars?: boolean;
}

/** A fact: its name, what it is, and where it leads. */
export interface Fact {
  readonly label: string;
  readonly value: string;
  readonly href?: string;
  readonly mark?: "up" | "down" | "";
  readonly testid?: string;
}
