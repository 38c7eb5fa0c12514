//! The lab's own tests: what each cause says, what contradictory evidence gets to hear, what the workloads do.

mod below;
mod causes;
mod contradictions;
mod evidence;
mod options;
mod workloads;
