// BabyBasicsAPI
