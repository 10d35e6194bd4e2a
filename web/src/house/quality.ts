/** What a player chooses instead of a quality of videos: the page chooses, or none is loaded (PLT-43). */

export const AUTOMATIC = "auto";
export const NO_VIDEO = "off";
