"""`sabot studio-demo`: a camera, a dealer and a house that stand in for a studio (STU-25); needs the extra `studio`."""
