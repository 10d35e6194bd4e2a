/** Loads every language, for tests. */

import { LANGUAGES, loadTexts } from "./catalogue";

await Promise.all(LANGUAGES.map(loadTexts));
